import type { EventBasis } from './event.ts';

/** The user, API key, system or counterparty that made a change. */
export type Actor =
  | { kind: 'USER'; userId: string }
  | { kind: 'API_KEY'; apiKeyId: string }
  | { kind: 'SYSTEM' }
  | { kind: 'COUNTERPARTY' };

/** The basis of a decision by a user or API key; null for other actors. */
export function basisOfActor(actor: Actor): EventBasis | null {
  if (actor.kind === 'USER') return { kind: 'USER', id: actor.userId };
  return actor.kind === 'API_KEY' ? { kind: 'API_KEY', id: actor.apiKeyId } : null;
}

export const SYSTEM: Actor = { kind: 'SYSTEM' };
export const COUNTERPARTY: Actor = { kind: 'COUNTERPARTY' };
