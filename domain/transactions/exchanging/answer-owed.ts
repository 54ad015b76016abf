import { COUNTERPARTY } from '../../events/actor.ts';
import type { PairChange, RecordChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { needsScreening } from '../screening-due.ts';
import { isFinal } from '../state.ts';
import { answered } from './carry-over.ts';
import { isCompleted } from './complete-own-record.ts';

/**
 * The sender's record with the answer that a record which its tenant had decided before still owes; null where there is
 * none to give. A confirmation counts only once the screening of the message has left neither hold nor block; a stopped
 * record answers as any block does. The answer has a code, never the tenant's text.
 */
export function owedAnswer(
  own: TransactionRecord,
  sent: TransactionRecord | null,
  now: Date,
): RecordChange | null {
  if (!sent || !isCompleted(own) || isFinal(sent.status)) return null;
  const decision = answerOf(own);
  if (!decision) return null;
  return {
    after: { ...answered(sent, decision), updatedAt: now },
    events: [
      {
        type: 'STATUS_CHANGED',
        message: 'The counterparty had already decided on this transfer.',
        actor: COUNTERPARTY,
        previousStatus: sent.status,
        newStatus: decision.status,
        basis: { kind: 'COUNTERPARTY' },
      },
    ],
    notify: true,
    wakesWorkflow: true,
  };
}

/** The decision as the sender learns it; null while there is none, or while something stands against it. */
function answerOf(own: TransactionRecord): TransactionRecord | null {
  const wordless = { ...own, personal: { ...own.personal, statusReasoning: null } };
  if (own.status === 'DECLINED') return wordless;
  if (own.status !== 'CONFIRMED') return null;
  if (own.blockedBy !== null) return { ...wordless, status: 'DECLINED' };
  return own.hold !== null || needsScreening(own) ? null : wordless;
}

/** A change of a decided record together with the answer to its sender that has become due with it. */
export function withOwedAnswer(
  decision: PairChange,
  counterpart: TransactionRecord | null,
  now: Date,
): PairChange {
  if (!decision.own || decision.counterpart) return decision;
  return { ...decision, counterpart: owedAnswer(decision.own.after, counterpart, now) };
}
