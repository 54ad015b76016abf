import { SYSTEM, type Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import { NO_CHANGE, type PairChange, type RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { timed } from './carry-repair.ts';
import { isRepairOpen, isRepairOverdue, openRepair, withoutRepair } from '../repair.ts';

/** Ends a request whose time is over, on both sides: the beneficiary VASP then decides on what it has. */
export function endRepair(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  now: Date,
): PairChange {
  if (!isRepairOverdue(own, now)) return NO_CHANGE;
  return lapsed(own, counterpart, now);
}

/** Ends the time of an open request now, by request of either side. */
export function fireRepairTimer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  const fired: EventDraft = {
    type: 'TIMER_FIRED',
    message: 'The time for an answer was ended by hand.',
    actor,
    data: { deadline: 'REPAIR' },
  };
  const ended = lapsed(own, counterpart, now);
  return { ...ended, own: ended.own && { ...ended.own, events: [fired, ...ended.own.events] } };
}

function lapsed(own: TransactionRecord, counterpart: TransactionRecord | null, now: Date): PairChange {
  const other = counterpart && isRepairOpen(counterpart) ? counterpart : null;
  return { own: lapsedSide(own, now), counterpart: other && lapsedSide(other, now), forwarded: null };
}

function lapsedSide(record: TransactionRecord, now: Date): RecordChange {
  return {
    after: { ...timed(withoutRepair(record)), updatedAt: now },
    events: [
      {
        type: 'REPAIR_EXPIRED',
        message: 'Data that was asked for was not given in time.',
        actor: SYSTEM,
        data: { fields: openRepair(record)?.fields ?? [] },
        basis: { kind: 'EXPIRY' },
      },
    ],
    notify: true,
    wakesWorkflow: record.direction === 'OUTGOING',
  };
}
