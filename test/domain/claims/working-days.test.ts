import { DAY_MS } from '../../../domain/durations.ts';
import { endOfWorkingDays, isWorkingDay } from '../../../domain/claims/working-days.ts';

const closedIn = (year: number) =>
  Array.from({ length: 366 }, (_, index) => Date.UTC(year, 0, 1) + index * DAY_MS)
    .filter((midnight) => new Date(midnight).getUTCFullYear() === year)
    .filter((midnight) => ![0, 6].includes(new Date(midnight).getUTCDay()) && !isWorkingDay(midnight))
    .map((midnight) => new Date(midnight).toISOString().slice(0, 10));

describe('TARGET', () => {
  // As the European Central Bank has published them; those that fall on a weekend are left out.
  test.each([
    [2024, ['2024-01-01', '2024-03-29', '2024-04-01', '2024-05-01', '2024-12-25', '2024-12-26']],
    [2025, ['2025-01-01', '2025-04-18', '2025-04-21', '2025-05-01', '2025-12-25', '2025-12-26']],
    [2026, ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25']],
    [2027, ['2027-01-01', '2027-03-26', '2027-03-29']],
    [2038, ['2038-01-01', '2038-04-23', '2038-04-26']],
  ])('the closing days of %i', (year, days) => {
    expect(closedIn(year)).toEqual(days);
  });

  test('weekends are no working days', () => {
    expect(['2026-11-21', '2026-11-22', '2026-11-23'].map((day) => isWorkingDay(Date.parse(day)))).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the end of the working days', () => {
  const end = (from: string, days: number, zone: string) =>
    endOfWorkingDays(new Date(from), days, zone).toISOString();

  test.each([
    ['from a Monday', '2026-11-23T10:00:00Z', 3, 'UTC', '2026-11-26T23:59:59.999Z'],
    ['over a weekend', '2026-11-27T10:00:00Z', 1, 'UTC', '2026-11-30T23:59:59.999Z'],
    ['from a Saturday', '2026-11-28T10:00:00Z', 1, 'UTC', '2026-11-30T23:59:59.999Z'],
    ['over Easter', '2026-04-02T10:00:00Z', 2, 'Europe/Berlin', '2026-04-08T21:59:59.999Z'],
    ['over Christmas and New Year', '2026-12-24T10:00:00Z', 5, 'UTC', '2027-01-04T23:59:59.999Z'],
    // It is the 24th there already.
    ['by the day of the zone', '2026-11-23T20:00:00Z', 1, 'Asia/Tokyo', '2026-11-25T14:59:59.999Z'],
    // Clocks go back on Sunday.
    ['over the end of summer time', '2026-10-23T10:00:00Z', 1, 'Europe/Berlin', '2026-10-26T22:59:59.999Z'],
    // Clocks jump over midnight into the 6th of September.
    [
      'before a day without midnight',
      '2026-09-04T10:00:00Z',
      1,
      'America/Santiago',
      '2026-09-08T02:59:59.999Z',
    ],
  ])('%s', (_what, from, days, zone, expected) => {
    expect(end(from, days, zone)).toBe(expected);
  });
});
