import type { RecordChange } from '../change.ts';
import { applyVerdict, type ScreeningVerdict } from './apply-verdict.ts';

/** The changes of both records when the receiver's verdict is known as the message arrives. */
export function decidedArrival(
  delivered: RecordChange,
  received: RecordChange,
  verdict: ScreeningVerdict,
  now: Date,
): { delivered: RecordChange; received: RecordChange } {
  const decided = applyVerdict(received.after, delivered.after, verdict, now);
  return {
    delivered: followedBy(delivered, decided.counterpart),
    received: followedBy(received, decided.own),
  };
}

/** Two changes of one record as one: one version, one webhook. */
function followedBy(first: RecordChange, second: RecordChange | null): RecordChange {
  if (!second) return first;
  return {
    after: second.after,
    events: [...first.events, ...second.events],
    notify: first.notify || second.notify,
    wakesWorkflow: first.wakesWorkflow || second.wakesWorkflow,
  };
}
