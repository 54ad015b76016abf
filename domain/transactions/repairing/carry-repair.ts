import { COUNTERPARTY, type Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { TransactionRecord } from '../record.ts';
import { needsScreening } from '../screening-due.ts';
import type { RepairRequest } from '../repair-request.ts';
import { nextDeadline, openRepair, withRepair } from '../repair.ts';

/** The other side's record with the request as it is after a change of one's own, and what its log says of that. */
interface CarriedRepair {
  apply: (record: TransactionRecord) => TransactionRecord;
  event: EventDraft;
  /** Nothing is asked for any more. */
  isEnded: boolean;
}

/** What a change of a request, or of what was given of it, changes on the other side; null where it has not changed. */
export function carryRepair(own: TransactionRecord, after: TransactionRecord): CarriedRepair | null {
  if (own.status !== after.status) return null;
  const [before, repair] = [openRepair(own), openRepair(after)];
  if (areSame(before, repair) && own.repairDeadlineAt === after.repairDeadlineAt) return null;
  const { repairDeadlineAt } = after;
  return {
    apply: (record) => timed(withRepair(record, repair, repairDeadlineAt)),
    event:
      repair && own.direction === 'INCOMING'
        ? requestedEvent(repair, COUNTERPARTY)
        : repairedEvent(before, repair, COUNTERPARTY),
    isEnded: repair === null,
  };
}

function areSame(one: RepairRequest | null, other: RepairRequest | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The sender's workflow ends the request in time. One that is due for something else reads it before. */
export function timed(record: TransactionRecord): TransactionRecord {
  const isWaiting = record.direction === 'OUTGOING' && !needsScreening(record);
  return isWaiting ? { ...record, wakeAt: nextDeadline(record) } : record;
}

export function requestedEvent({ fields }: RepairRequest, actor: Actor): EventDraft {
  const message =
    actor === COUNTERPARTY
      ? 'The beneficiary VASP asks for data.'
      : 'The originator VASP was asked for data.';
  return { type: 'REPAIR_REQUESTED', message, actor, data: { fields } };
}

/** The event of data that was asked for: what has been given, and what is still open. */
export function repairedEvent(
  before: RepairRequest | null,
  repair: RepairRequest | null,
  actor: Actor,
): EventDraft {
  const open = repair?.fields ?? [];
  const fields = (before?.fields ?? []).filter((field) => !open.includes(field));
  const message =
    open.length === 0
      ? 'All data that was asked for is given.'
      : 'Some of the data that was asked for is given.';
  return { type: 'REPAIRED', message, actor, data: { fields, open } };
}
