import type { EventBasis } from './event.ts';

/** The user, API key, system or counterparty that made a change. */
export type Actor = { kind: 'USER' | 'API_KEY'; id: string } | { kind: 'SYSTEM' } | { kind: 'COUNTERPARTY' };

/** The basis of a decision by a user or API key; null for other actors. */
export function basisOfActor(actor: Actor): EventBasis | null {
  return 'id' in actor ? { kind: actor.kind, id: actor.id } : null;
}

export const SYSTEM: Actor = { kind: 'SYSTEM' };
export const COUNTERPARTY: Actor = { kind: 'COUNTERPARTY' };
