/** Who made a change. */
export type Actor =
  | { kind: 'USER'; userId: string }
  | { kind: 'API_KEY'; apiKeyId: string }
  | { kind: 'SYSTEM' }
  | { kind: 'COUNTERPARTY' };

export const SYSTEM: Actor = { kind: 'SYSTEM' };
export const COUNTERPARTY: Actor = { kind: 'COUNTERPARTY' };
