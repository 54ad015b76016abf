import type { Actor } from './actor.ts';

/** The basis of a decision: a person, an automatic rule, the counterparty, or time. */
export interface EventBasis {
  kind: 'USER' | 'API_KEY' | 'COUNTERPARTY' | 'EXPIRY' | 'AUTO_SELF_HOSTED' | 'RULE' | 'VERIFICATION';
  id?: string;
  version?: number;
}

/** The basis of a decision by a user or API key; null for other actors. */
export function basisOfActor(actor: Actor): EventBasis | null {
  return 'id' in actor ? { kind: actor.kind, id: actor.id } : null;
}

/** An event before it is chained. `data` holds field names, ids and counts, never personal data or free text. */
export interface EventDraft {
  type: string;
  message: string;
  actor: Actor;
  previousStatus?: string | null;
  newStatus?: string | null;
  data?: Record<string, string | number | boolean | null | string[]>;
  basis?: EventBasis | null;
  payloadHash?: string | null;
}

/** The kind of record that an event belongs to. */
export type SubjectKind = 'TRANSACTION' | 'VERIFICATION' | 'CLAIM';

/** A stored, immutable event of a record. `hash` covers all other fields, including the hash of the previous event. */
export interface Event {
  subjectId: string;
  subjectKind: SubjectKind;
  sequence: number;
  id: string;
  tenantId: string;
  version: number;
  type: string;
  createdAt: Date;
  actor: Actor['kind'];
  userId: string | null;
  apiKeyId: string | null;
  previousStatus: string | null;
  newStatus: string | null;
  message: string;
  data: Record<string, unknown>;
  basis: EventBasis | null;
  payloadHash: string | null;
  previousHash: Buffer | null;
  hash: Buffer;
}
