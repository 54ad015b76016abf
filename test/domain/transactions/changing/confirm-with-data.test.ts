import {
  confirmWithData,
  unscreenedData,
} from '../../../../domain/transactions/changing/confirm-with-data.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import { verdictOf, type Outcome } from '../model/verdicts.ts';
import { refusalOf } from '../refusal-of.ts';

const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const act = { actor, now: NOW };
const PATCH = PatchTransactionBody.parse({ status: 'CONFIRMED', beneficiary: { name: 'Grace Hopper' } });

const arrived = () =>
  transactionRecord({
    direction: 'INCOMING',
    status: 'DELIVERED',
    messageSource: 'NATIVE',
    pairId: 'pair-1',
  });
const sent = () => transactionRecord({ status: 'DELIVERED', pairId: 'pair-1' });
const judgedAs = (outcome: Outcome, own = arrived()) => ({
  version: own.version + 1,
  verdict: verdictOf(outcome, own, NOW),
  now: NOW,
});
const confirm = (outcome: Outcome, patch = PATCH) =>
  confirmWithData(arrived(), sent(), patch, { ...act, judged: judgedAs(outcome) });

test.each(['DEFAULT', 'PROCEED'] as const)(
  'new data that passes (%s) is stored, screened and confirmed in one version',
  (outcome) => {
    const { own, counterpart } = confirm(outcome);
    expect(own?.after).toMatchObject({
      status: 'CONFIRMED',
      screeningState: 'CLEARED',
      personal: { beneficiary: { name: 'Grace Hopper' } },
    });
    expect(own?.events.map(({ type }) => type)).toEqual(['DATA_UPDATED', 'SCREENED', 'STATUS_CHANGED']);
    expect(counterpart?.after.status).toBe('CONFIRMED');
  },
);

test.each([
  ['MATCH', 'review_required'],
  ['WAIT', 'review_required'],
  ['REVIEW', 'conflict'],
  ['BLOCK', 'invalid_transition'],
] as const)('new data with the verdict %s is refused: %s', (outcome, code) => {
  expect(refusalOf(() => confirm(outcome)).code).toBe(code);
});

test('without a verdict on this very version it has to wait', () => {
  const own = arrived();
  for (const judged of [null, { ...judgedAs('PROCEED'), version: own.version }]) {
    expect(refusalOf(() => confirmWithData(own, sent(), PATCH, { ...act, judged })).code).toBe(
      'screening_pending',
    );
  }
});

test('what refuses the confirmation anyway comes first', () => {
  const own = { ...arrived(), hold: 'SANCTIONS' as const };
  expect(refusalOf(() => confirmWithData(own, sent(), PATCH, { ...act, judged: null })).code).toBe(
    'review_required',
  );
});

test.each([
  ['nothing that is screened', arrived(), { status: 'CONFIRMED', metadata: 'm' }],
  ['the data that is there', arrived(), { status: 'CONFIRMED' }],
  [
    'data of a record that the tenant made',
    transactionRecord({ direction: 'INCOMING', messageSource: 'MANUAL' }),
    { status: 'CONFIRMED', beneficiary: { name: 'Grace Hopper' } },
  ],
])('a confirmation with %s needs no verdict before', (_, own, body) => {
  const patch = PatchTransactionBody.parse(body);
  expect(unscreenedData(own, patch, act)).toBeNull();
  expect(confirmWithData(own, null, patch, { ...act, judged: null }).own?.after.status).toBe('CONFIRMED');
});
