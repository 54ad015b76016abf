import { SYSTEM } from '../../../../domain/events/actor.ts';
import { releaseRecord } from '../../../../domain/transactions/lifecycle/release.ts';
import { subStatusOf } from '../../../../domain/transactions/sub-status.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import { verdictOf, type Outcome } from '../model/verdicts.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const RELEASE = '0190d1a2-7b3c-7def-8123-456789abcdef';
const sealed = transactionRecord({
  direction: 'INCOMING',
  status: 'DELIVERED',
  messageSource: 'NATIVE',
  sealed: true,
  isDestinationConfirmed: false,
  destinationWalletId: 7,
  releaseId: RELEASE,
  screeningState: 'DUE',
  screeningDueSince: NOW,
  wakeAt: null,
});
const sent = transactionRecord({ status: 'DELIVERED', screeningState: 'CLEARED', pairId: 'pair' });

function release(outcome: Outcome | null, own = sealed) {
  const verdict = outcome && verdictOf(outcome, { ...own, sealed: false }, LATER);
  const { own: change, counterpart } = releaseRecord(own, sent, verdict, LATER);
  if (!change) throw new Error('nothing was released');
  return { change, counterpart };
}

test('a record is released with the verdict on it: one change, one webhook', () => {
  const { change, counterpart } = release('MATCH');
  expect(change.after).toMatchObject({
    sealed: false,
    isDestinationConfirmed: true,
    releaseId: null,
    status: 'DELIVERED',
    hold: 'SANCTIONS',
    screeningState: 'CLEARED',
    updatedAt: LATER,
  });
  expect(change.events.map(({ type }) => type)).toEqual(['RELEASED', 'SCREENED', 'HELD']);
  expect(change.events[0]).toMatchObject({ actor: SYSTEM, data: { walletId: 7 } });
  expect(change).toMatchObject({ notify: true, wakesWorkflow: false });
  expect(counterpart).toBeNull();
});

test.each([
  ['PROCEED', 'CONFIRMED'],
  ['BLOCK', 'DECLINED'],
] as const)('the verdict %s decides on both sides as the record is released', (outcome, status) => {
  const { change, counterpart } = release(outcome);
  expect([change.after.status, counterpart?.after.status]).toEqual([status, status]);
});

test('at the end of a wait that a rule sets, its workflow decides again', () => {
  const { change } = release('WAIT');
  expect([subStatusOf(change.after), change.wakesWorkflow]).toEqual(['WAITING', true]);
});

test('without a verdict it waits for its screening, and is announced in 30 seconds at the latest', () => {
  const { change } = release(null);
  expect(change.after).toMatchObject({
    sealed: false,
    screeningState: 'DUE',
    screeningDueSince: LATER,
    wakeAt: LATER,
    announceAt: new Date(LATER.getTime() + 30_000),
  });
  expect([subStatusOf(change.after), change.wakesWorkflow]).toEqual(['SCREENING', true]);
});

test.each(['DECLINED', 'CANCELLED'] as const)(
  'one that is %s already is shown, and not screened',
  (status) => {
    const { change } = release(null, { ...sealed, status });
    expect(change.after).toMatchObject({ sealed: false, status, announceAt: null, wakeAt: null });
    expect(change).toMatchObject({ notify: true, wakesWorkflow: false });
  },
);

test('a record that its tenant made and a message completed only learns that its wallet is confirmed', () => {
  const own = { ...sealed, sealed: false, screeningState: 'CLEARED' } as const;
  const { change } = release(null, own);
  expect(change.after).toEqual({ ...own, isDestinationConfirmed: true, releaseId: null, updatedAt: LATER });
  expect(change.events.map(({ type }) => type)).toEqual(['RELEASED']);
});
