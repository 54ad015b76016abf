import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { carryOver } from '../exchanging/carry-over.ts';
import type { TransactionRecord } from '../record.ts';
import { allowedStatuses, lacksDestination } from '../state.ts';
import { requestedEvent } from '../repairing/carry-repair.ts';
import type { RepairField } from '../repair-request.ts';
import { openRepair, withRepair } from '../repair.ts';

interface RepairAct {
  fields: RepairField[];
  reason: string | null;
  /** The end of the time for an answer. */
  deadlineAt: Date;
  actor: Actor;
  now: Date;
}

/**
 * The beneficiary VASP asks the originator VASP for fields of a message that it has received and not decided. Another
 * request takes the place of an open one; the same one changes nothing. Throws invalid_transition for any other record.
 */
export function requestRepair(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { fields, reason, deadlineAt, actor, now }: RepairAct,
): PairChange {
  const refusal = refusalOf(own, counterpart, actor);
  if (refusal !== null) {
    throw new DomainError('invalid_transition', refusal, { members: { allowed: allowedStatuses(own) } });
  }
  const open = openRepair(own);
  if (open && open.reason === reason && isSameList(open.fields, fields)) return NO_CHANGE;
  const repair = { requestedAt: now.toISOString(), fields, reason };
  const change = {
    after: { ...withRepair(own, repair, deadlineAt), updatedAt: now },
    events: [requestedEvent(repair, actor)],
    notify: false,
    wakesWorkflow: false,
  };
  const carried = counterpart && carryOver({ own, change, counterpart, now });
  return { own: change, counterpart: carried, forwarded: null };
}

/** Why nobody can be asked; null where the sender can. */
function refusalOf(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  actor: Actor,
): string | null {
  if (own.direction !== 'INCOMING' || own.pairId === null)
    return 'Only for a message that was received from another VASP can data be asked for.';
  if (own.messageSource === 'TRP')
    return 'The Travel Rule Protocol has no request for data: decline with MISSING_DATA instead.';
  // What came by e-mail answers a claim: the page on which that was given takes nothing more.
  if (own.messageSource === 'EMAIL' && actor.kind !== 'COUNTERPARTY')
    return 'Whoever answered your claim by e-mail cannot be asked here: write to the VASP, or decline with MISSING_DATA.';
  if (own.status !== 'DELIVERED') return `Of a transaction that is ${own.status} no data can be asked for.`;
  if (lacksDestination(own))
    return 'Confirm the destination wallet first: until then nothing can be asked for.';
  if (counterpart?.status !== 'DELIVERED')
    return 'The originator VASP has deleted its record: it cannot give data any more.';
  return null;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((field) => other.includes(field));
}
