import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { isOverdue } from '../deadlines.ts';
import { fireRepairTimer } from '../repairing/end-repair.ts';
import { isRepairOpen } from '../repair.ts';
import type { TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

/**
 * The new deadline lies this far in the past, so that a step that is already running with an earlier `now` also finds it
 * passed; longer than any step may take.
 */
const MARGIN_MS = 30_000;

/**
 * Ends the record's deadline (72 hours for delivery, 90 days for an answer) as if it had passed; the lifecycle then
 * expires the record. If a rule lets the record wait, the wait ends; if data was asked for, the time to give it does. Throws
 * conflict when there is no deadline.
 */
export function fireTimer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  if (isRepairOpen(own)) return fireRepairTimer(own, counterpart, { actor, now });
  if (own.ruleWaitUntil !== null) return endRuleWait(own, { actor, now });
  // Other INCOMING, final, FAILED or EXPIRED records have none.
  if (own.deadlineAt === null) throw new DomainError('conflict', 'This transaction waits for no deadline.');
  if (isOverdue(own, now)) return NO_CHANGE;
  return {
    own: {
      after: { ...own, deadlineAt: addMs(now, -MARGIN_MS), wakeAt: now, updatedAt: now },
      events: [
        {
          type: 'TIMER_FIRED',
          message: 'The deadline was ended by hand.',
          actor,
          data: { deadline: own.routingFault === 'VASP_NOT_REACHABLE' ? 'DELIVERY' : 'ANSWER' },
        },
      ],
      notify: false,
      wakesWorkflow: true,
    },
    counterpart: null,
    forwarded: null,
  };
}

function endRuleWait(own: TransactionRecord, { actor, now }: { actor: Actor; now: Date }): PairChange {
  const event = {
    type: 'TIMER_FIRED',
    message: 'The wait of a rule was ended by hand.',
    actor,
    data: { deadline: 'RULE' },
  };
  const after = { ...own, ruleWaitUntil: now, screeningDueSince: now, wakeAt: now, updatedAt: now };
  return {
    own: { after, events: [event], notify: false, wakesWorkflow: true },
    counterpart: null,
    forwarded: null,
  };
}
