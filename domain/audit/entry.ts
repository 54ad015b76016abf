import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';

/** Who sent a request. UNKNOWN: nobody who is signed in, such as somebody who tries a password. */
export const AUDIT_ACTORS = ['USER', 'API_KEY', 'OPERATOR', 'UNKNOWN'] as const;
export type AuditActorKind = (typeof AUDIT_ACTORS)[number];

/** The actor of an entry: a user or key by its id, an operator by the name of their key. */
export type AuditActor =
  { kind: 'USER' | 'API_KEY'; id: string } | { kind: 'OPERATOR'; name: string } | { kind: 'UNKNOWN' };

/** Content of an entry about a request, before it is stored. Its only personal data is the address, which is encrypted. */
export interface AuditDraft {
  /** The tenant in whose log it is; null for the log of the deployment. */
  tenantId: string | null;
  actor: AuditActor;
  /** The `operationId` of the endpoint. */
  operation: string;
  /** The HTTP status of the answer; null for counted requests, which succeeded unless there is a `code`. */
  status: number | null;
  /** The error code of a refusal. */
  code: string | null;
  /** The record that the request names, or that it made. */
  recordId: string | null;
  /** How many items a list had. */
  items: number | null;
  /** Names of the parameters, with the values of those that are no personal data. */
  parameters: Readonly<Record<string, string | null>>;
  /** Address of the client and id of the request; null for counted requests. */
  origin: RequestOrigin | null;
  /** The hour of counted requests; null for a single one. */
  hour: Date | null;
  requests: number;
}

/** Origin of a request. Both texts are chosen by the client or its network, so they are stored sealed. */
export interface RequestOrigin {
  address: string;
  requestId: string;
}

/** A stored entry as its hash covers it; `origin` is sealed. */
export interface SealedAuditEntry {
  id: string;
  /** The tenant, or the id that stands for the deployment. */
  tenantId: string;
  createdAt: Date;
  operation: string;
  actor: AuditActorKind;
  userId: string | null;
  apiKeyId: string | null;
  operator: string | null;
  status: number | null;
  code: string | null;
  recordId: string | null;
  items: number | null;
  parameters: Readonly<Record<string, string | null>>;
  origin: Buffer | null;
  hour: Date | null;
  requests: number;
}

/** SHA-256 of the canonical JSON of an entry. */
export function hashOfEntry(entry: SealedAuditEntry): Buffer {
  const { id, tenantId, operation, actor, userId, apiKeyId, operator, createdAt, hour, origin } = entry;
  const { status, code, recordId, items, parameters, requests } = entry;
  const who = { tenantId, actor, userId, apiKeyId, operator, origin: origin?.toString('hex') ?? null };
  const when = { createdAt: createdAt.toISOString(), hour: hour?.toISOString() ?? null, requests };
  const what = { id, operation, status, code, recordId, items, parameters };
  return sha256(canonicalJson({ ...who, ...when, ...what }));
}

/** A batch of a log, without its entries. */
interface AuditBatch {
  tenantId: string;
  /** Number of the entry, from 1 and without gaps. */
  number: number;
  createdAt: Date;
  /** The hash of the batch before; null for the first. */
  previousHash: Buffer | null;
}

/** SHA-256 that chains a batch to the one before: over its place, its time and the MACs of its entries in order. */
export function hashOfBatch(batch: AuditBatch, entryMacs: readonly Buffer[]): Buffer {
  const { tenantId, number, createdAt, previousHash } = batch;
  const head = [tenantId, number, createdAt.toISOString(), previousHash?.toString('hex') ?? '-'].join(' ');
  return sha256([head, ...entryMacs.map((mac) => mac.toString('hex'))].join('\n'));
}
