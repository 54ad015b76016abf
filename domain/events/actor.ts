import type { EventBasis } from './event.ts';

/** Who made a change. */
export type Actor = { kind: 'USER' | 'API_KEY'; id: string } | { kind: 'SYSTEM' } | { kind: 'COUNTERPARTY' };

/** The basis of what somebody decided; null for the system. */
export function basisOfActor(actor: Actor): EventBasis | null {
  return 'id' in actor ? { kind: actor.kind, id: actor.id } : null;
}

export const SYSTEM: Actor = { kind: 'SYSTEM' };
export const COUNTERPARTY: Actor = { kind: 'COUNTERPARTY' };
