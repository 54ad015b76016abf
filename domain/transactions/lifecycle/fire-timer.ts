import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { isOverdue } from '../deadlines.ts';
import type { TransactionRecord } from '../record.ts';
import { addMs } from '../../durations.ts';

/**
 * The deadline is put this far into the past, so that a step that is under way, and read its clock before, finds it
 * over too; longer than any step may take.
 */
const MARGIN_MS = 30_000;

/**
 * Ends the deadline that a record waits for, as if its time had passed: 72 hours of delivery, 90 days without an
 * answer. The lifecycle then expires it; after the wait of a rule it is decided anew. Throws conflict when none runs.
 */
export function fireTimer(own: TransactionRecord, { actor, now }: { actor: Actor; now: Date }): PairChange {
  if (own.subStatus === 'WAITING') return endRuleWait(own, { actor, now });
  // What is otherwise INCOMING, final, FAILED or EXPIRED has none.
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
          data: { deadline: own.subStatus === 'VASP_NOT_REACHABLE' ? 'DELIVERY' : 'ANSWER' },
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
  const after = { ...own, wakeAt: now, updatedAt: now };
  return {
    own: { after, events: [event], notify: false, wakesWorkflow: true },
    counterpart: null,
    forwarded: null,
  };
}
