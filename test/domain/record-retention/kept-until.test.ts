import { keptUntil, latestDue } from '../../../domain/record-retention/kept-until.ts';

const at = (text: string) => new Date(`${text}T10:00:00.000Z`);
const record = { status: 'CONFIRMED', statusSince: at('2021-03-01'), updatedAt: at('2024-08-15') } as const;

test.each([
  ['five calendar years from the final status on, whatever came later', record, 1, '2026-03-01'],
  ['the days of the tenant where these are more', record, 3_653, '2031-03-02'],
  [
    'from the last change on where nothing was decided',
    { ...record, status: 'FAILED' } as const,
    1,
    '2029-08-15',
  ],
  ['a leap day ends with February', { ...record, statusSince: at('2020-02-29') }, 1, '2025-03-01'],
])('%s', (_, facts, retentionDays, until) => {
  expect(keptUntil(facts, retentionDays)).toEqual(at(until));
});

test('nothing younger than five years is looked at', () => {
  expect(latestDue(at('2026-11-26'))).toEqual(at('2021-11-26'));
});
