/** The user, API key, system or counterparty that made a change. */
export type Actor = { kind: 'USER' | 'API_KEY'; id: string } | { kind: 'SYSTEM' } | { kind: 'COUNTERPARTY' };

export const SYSTEM: Actor = { kind: 'SYSTEM' };
export const COUNTERPARTY: Actor = { kind: 'COUNTERPARTY' };
