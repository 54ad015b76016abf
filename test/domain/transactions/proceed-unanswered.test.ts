import { addMs, DAY_MS } from '../../../domain/durations.ts';
import { expire } from '../../../domain/transactions/lifecycle/expire.ts';
import { retryTransaction } from '../../../domain/transactions/lifecycle/restart-routing.ts';
import { proceedUnanswered } from '../../../domain/transactions/proceed-unanswered.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { transactionRecord } from '../../factories/transaction-record.ts';
import { refusalOf } from './refusal-of.ts';
import { clearanceOf } from '../../../domain/transactions/clearance.ts';

const ACTOR = { kind: 'API_KEY', id: 'c0ffee00-0000-4000-8000-000000000000' } as const;

/** A transfer whose 90 days were over in this state. */
function expired(overrides: Parameters<typeof transactionRecord>[0]): {
  record: TransactionRecord;
  now: Date;
} {
  const before = transactionRecord(overrides);
  const now = addMs(before.createdAt, 90 * DAY_MS);
  const record = expire(before, now).own?.after;
  if (!record) throw new Error('it did not expire');
  expect(record.status).toBe('FAILED');
  return { record, now };
}

const proceed = ({ record, now }: ReturnType<typeof expired>) =>
  proceedUnanswered(record, { reason: 'Sunrise', actor: ACTOR, now });

test.each([
  ['was held for a listed name', { hold: 'SANCTIONS', screeningState: 'CLEARED' }],
  [
    'was held and found no VASP',
    { hold: 'SANCTIONS', routingFault: 'VASP_NOT_FOUND', screeningState: 'CLEARED' },
  ],
  ['was never screened', { screeningState: 'DUE' }],
  ['was to be compared with new lists', { screeningState: 'RECHECK' }],
  ['was to be screened for its next routing', { screeningState: 'DUE', routingFault: 'VASP_NOT_FOUND' }],
] as const)('coins of an expired transfer that %s go at no word of its tenant', (_what, overrides) => {
  const ended = expired(overrides);
  expect(refusalOf(() => proceed(ended)).code).toBe('review_required');
});

test('what it was held for stays known until it is tried again, which screens it anew', () => {
  const { record, now } = expired({ hold: 'SANCTIONS', screeningState: 'CLEARED' });
  expect(clearanceOf(record)).toMatchObject({ outcome: 'WAIT', nextAction: 'RETRY' });
  expect(clearanceOf(record).reasons).toContain('SANCTIONS');
  expect(retryTransaction(record, { actor: ACTOR, now }).own?.after).toMatchObject({
    blockedHold: null,
    screeningState: 'DUE',
  });
});

test('coins of an expired transfer that was screened and not answered may go', () => {
  expect(proceed(expired({ screeningState: 'CLEARED' })).own?.after).toMatchObject({ status: 'FAILED' });
});
