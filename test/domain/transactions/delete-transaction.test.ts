import { COUNTERPARTY, type Actor } from '../../../domain/events/actor.ts';
import { deleteTransaction } from '../../../domain/transactions/delete-transaction.ts';
import { STATUSES } from '../../../domain/transactions/state.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };

test.each(STATUSES)('a record that is %s is gone for good, with an entry that says who did it', (status) => {
  const own = transactionRecord({ status });
  const decision = deleteTransaction(own, null, { actor, now: LATER });
  expect(decision).toMatchObject({ counterpart: null, forwarded: null });
  expect(decision.own).toMatchObject({
    after: { status, deletedAt: LATER, updatedAt: LATER, deadlineAt: null, wakeAt: null },
    events: [{ type: 'DELETED', actor, previousStatus: status }],
    notify: false,
  });
});

test('its process is told when there is one', () => {
  const outbox = [NOW, null].map(
    (wakeAt) =>
      deleteTransaction(transactionRecord({ wakeAt }), null, { actor, now: LATER }).own?.wakesWorkflow,
  );
  expect(outbox).toEqual([true, false]);
});

test('the counterparty is told by event and webhook, and keeps its record as it is', () => {
  const personal = { originator: { name: 'Ada' } };
  const counterpart = transactionRecord({
    direction: 'INCOMING',
    status: 'DELIVERED',
    sealed: true,
    personal,
  });
  const decision = deleteTransaction(transactionRecord({ status: 'DELIVERED' }), counterpart, {
    actor,
    now: LATER,
  });
  expect(decision.counterpart).toEqual({
    after: { ...counterpart, updatedAt: LATER },
    events: [
      {
        type: 'COUNTERPARTY_DELETED',
        message: 'The counterparty deleted its record of this transfer.',
        actor: COUNTERPARTY,
      },
    ],
    notify: true,
    wakesWorkflow: false,
  });
});
