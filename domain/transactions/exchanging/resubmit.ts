import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { ANSWER_MS } from '../deadlines.ts';
import { fiatData, fiatValue, type FiatPrice } from '../fiat.ts';
import { blankRecord } from '../new-transaction.ts';
import type { TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

interface ResubmissionInput {
  id: string;
  reference: string | null;
  actor: Actor;
  now: Date;
  price: FiatPrice | undefined;
}

/**
 * A new transaction with the data of one that a rule cancelled, decided by the current rules. The reference stays with
 * the first transaction. Throws 409 for any other transaction.
 */
export function resubmitTransaction(
  blocked: TransactionRecord,
  { id, reference, actor, now, price }: ResubmissionInput,
): { record: TransactionRecord; event: EventDraft } {
  if (!isStoppedByRule(blocked)) {
    throw new DomainError(
      'invalid_transition',
      'Only a transaction that a rule has cancelled can be submitted again.',
      { members: { allowed: [] } },
    );
  }
  const { reviews: _reviews, archiveReadings: _readings, ...personal } = blocked.personal;
  const record: TransactionRecord = {
    ...blocked,
    ...blankRecord,
    id,
    ...fiatValue(blocked.amount, price),
    isDestinationConfirmed: null,
    reference,
    resubmissionOf: blocked.id,
    screeningDueSince: now,
    deadlineAt: addMs(now, ANSWER_MS),
    wakeAt: now,
    createdAt: now,
    updatedAt: now,
    personal: { ...personal, statusReasoning: null },
  };
  const event: EventDraft = {
    type: 'CREATED',
    message: 'Transaction accepted: one that a rule had cancelled is submitted again.',
    actor,
    newStatus: 'PENDING',
    data: { ...fiatData(price), resubmissionOf: blocked.id },
  };
  return { record, event };
}

/** A message that a rule stopped before it was sent; what was delivered cannot be submitted again. */
function isStoppedByRule({ direction, status, blockedBy }: TransactionRecord): boolean {
  return direction === 'OUTGOING' && status === 'CANCELLED' && blockedBy === 'RULE';
}
