import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { PairChange } from '../change.ts';

/** Adds an event to a record that is held only because the guard of a new rules version replaced BLOCK. */
export function logGuardedVerdict(decision: PairChange, rulesVersion: number): PairChange {
  const { own } = decision;
  if (!own || own.after.hold === null) return decision;
  const event: EventDraft = {
    type: 'BLOCK_GUARDED',
    message: 'The rules would have blocked it; their new version blocks so much that a review is required.',
    actor: SYSTEM,
    data: { rulesVersion },
  };
  return { ...decision, own: { ...own, events: [...own.events, event] } };
}
