import type { Actor } from './actor.ts';

/** Why something was decided: a person's call, an automatism, the other side, or time. */
export interface EventBasis {
  kind: 'USER' | 'API_KEY' | 'COUNTERPARTY' | 'EXPIRY' | 'AUTO_SELF_HOSTED' | 'RULE' | 'VERIFICATION';
  id?: string;
  version?: number;
}

/** What a change says about itself. `data` holds field names, ids and counts, never personal data or free text. */
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

/** What kind of record a log belongs to. */
export type SubjectKind = 'TRANSACTION' | 'VERIFICATION';

/** An immutable entry of a record's log, as stored. `hash` covers all other fields and the entry before. */
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
