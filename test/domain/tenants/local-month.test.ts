import { addMs, DAY_MS, MINUTE_MS } from '../../../domain/durations.ts';
import { localMonth, MONTH, monthAt } from '../../../domain/tenants/local-month.ts';

const iso = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe('a month begins and ends by local clocks', () => {
  test.each([
    ['UTC', '2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['Asia/Kathmandu', '2026-11', '2026-10-31T18:15:00.000Z', '2026-11-30T18:15:00.000Z'],
    ['Australia/Eucla', '2026-11', '2026-10-31T15:15:00.000Z', '2026-11-30T15:15:00.000Z'],
    ['Pacific/Kiritimati', '2027-01', '2026-12-31T10:00:00.000Z', '2027-01-31T10:00:00.000Z'],
    ['Etc/GMT+12', '2026-12', '2026-12-01T12:00:00.000Z', '2027-01-01T12:00:00.000Z'],
    // Daylight saving time begins or ends within the month.
    ['Europe/Zurich', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['Europe/Zurich', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['Australia/Lord_Howe', '2026-04', '2026-03-31T13:00:00.000Z', '2026-04-30T13:30:00.000Z'],
    // Clocks go back from 1:00 to 0:00 on the first: the first midnight counts.
    ['America/Havana', '2026-11', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
    // Clocks went from 0:00 to 1:00 on the first: there was no midnight.
    ['America/Asuncion', '2017-10', '2017-10-01T04:00:00.000Z', '2017-11-01T03:00:00.000Z'],
    // A whole day, 30 December, was left out.
    ['Pacific/Apia', '2012-01', '2011-12-31T10:00:00.000Z', '2012-01-31T10:00:00.000Z'],
  ])('%s %s', (zone, month, from, to) => {
    expect(iso(localMonth(month, zone))).toEqual([from, to]);
  });

  test('in every zone, months follow each other without a gap, and clocks show them at both ends', () => {
    const wrong = Intl.supportedValuesOf('timeZone').filter((zone) => {
      const [october, november] = [localMonth('2026-10', zone), localMonth('2026-11', zone)];
      const isWhole = october.to.getTime() === november.from.getTime();
      const isShown =
        monthAt(november.from, zone) === '2026-11' && monthAt(addMs(november.from, -1), zone) === '2026-10';
      const isQuarter = november.from.getTime() % (15 * MINUTE_MS) === 0;
      return !isWhole || !isShown || !isQuarter;
    });
    expect(wrong).toEqual([]);
  });

  test('the current month is the one that local clocks show', () => {
    const newYear = new Date('2026-12-31T23:30:00.000Z');
    expect([monthAt(newYear, 'UTC'), monthAt(newYear, 'Europe/Zurich')]).toEqual(['2026-12', '2027-01']);
    expect(monthAt(addMs(newYear, DAY_MS), 'America/Los_Angeles')).toBe('2027-01');
  });
});

test.each(['2026-13', '2026-00', '2026-1', '1999-12', '2026-11-01', ' 2026-11', '２０２６-11', ''])(
  '%j is no month',
  (text) => expect(MONTH.test(text)).toBe(false),
);
