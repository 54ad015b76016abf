import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import { KEPT_SECONDS } from '../../domain/retention.ts';
import { type Database } from '../database.ts';
import { columnNames, insertSql, unnestValues, type Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** The caller's Idempotency-Key with the fingerprint of its request (method, path, raw bytes). */
export interface Idempotency {
  key: string;
  fingerprint: Buffer;
}

/** An answer as it was first given. */
export interface KeptAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

type SealedBy = 'TRANSACTION' | 'VERIFICATION' | 'TENANT';

/** A key taken together with the answer to its request. */
export interface KeyClaim extends Idempotency {
  tenantId: string;
  status: number;
  headers?: Record<string, string>;
  body: Buffer | null;
  /** Whose key seals the body: erasing the record erases the answer. */
  sealedBy: SealedBy;
  sealedById: string;
  now: Date;
}

const KEPT = `interval '${KEPT_SECONDS.idempotencyKeys} seconds'`;
/** SQL: what a key that still counts fulfils. */
export const IS_KEPT = `created_at > now() - ${KEPT}`;

/** Requests of operators belong to no tenant. */
export const OPERATOR_SCOPE = '00000000-0000-0000-0000-000000000000';

export const claimColumns: Column<KeyClaim>[] = [
  { name: 'tenant_id', type: 'uuid', value: (claim) => claim.tenantId },
  { name: 'key', type: 'text', value: (claim) => claim.key },
  { name: 'fingerprint', type: 'bytea', value: (claim) => claim.fingerprint },
  { name: 'status', type: 'int', value: (claim) => claim.status },
  { name: 'headers', type: 'text', cast: 'jsonb', value: (claim) => JSON.stringify(claim.headers ?? {}) },
  { name: 'body', type: 'bytea', value: (claim) => claim.body },
  { name: 'sealed_by', type: 'text', value: (claim) => claim.sealedBy },
  { name: 'sealed_by_id', type: 'uuid', value: (claim) => claim.sealedById },
  { name: 'created_at', type: 'timestamptz', value: (claim) => claim.now },
];

const INSERT_CLAIM = `${insertSql('idempotency_keys', claimColumns)} on conflict do nothing returning ${columnNames(claimColumns.slice(0, 2))}`;

/** Takes the key; false when somebody had it before. Waits for a twin whose transaction is still open. */
async function claim(tx: Queryable, wanted: KeyClaim): Promise<boolean> {
  const { rows } = await tx.query(INSERT_CLAIM, unnestValues(claimColumns, [wanted]));
  return rows.length > 0;
}

interface KeptRow {
  fingerprint: Buffer;
  status: number;
  headers: Record<string, string>;
  body: Buffer | null;
  sealed_by: SealedBy;
  sealed_by_id: string;
  record_key: Buffer | null;
}

/** The answer kept under a key, undefined when there is none. Throws 422 when the key was used for another request. */
export async function findKeptAnswer(
  db: Database,
  tenantId: string,
  { key, fingerprint }: Idempotency,
): Promise<KeptAnswer | undefined> {
  const { rows } = await db.pool.query<KeptRow>(
    `select i.fingerprint, i.status, i.headers, i.body, i.sealed_by, i.sealed_by_id,
       coalesce(t.record_key, v.record_key) as record_key
     from idempotency_keys i
     left join transactions t on i.sealed_by = 'TRANSACTION' and t.id = i.sealed_by_id and t.tenant_id = i.tenant_id
     left join verifications v on i.sealed_by = 'VERIFICATION' and v.id = i.sealed_by_id and v.tenant_id = i.tenant_id
     where i.tenant_id = $1 and i.key = $2 and i.${IS_KEPT}`,
    [tenantId, key],
  );
  const kept = rows[0];
  if (!kept) return undefined;
  if (!kept.fingerprint.equals(fingerprint)) throw keyReused();
  return { status: kept.status, headers: kept.headers, body: await openBody(db, tenantId, key, kept) };
}

function keyReused(): DomainError {
  return new DomainError(
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request; a corrected or different request needs a new key.',
  );
}

async function openBody(db: Database, tenantId: string, key: string, kept: KeptRow): Promise<unknown> {
  if (!kept.body) return undefined;
  if (kept.sealed_by === 'TENANT') {
    const keys = await db.vault.tenantKeys(kept.sealed_by_id, [kept.body]);
    return keys.open(sealingContext.keptAnswer.body(tenantId, key), kept.body);
  }
  if (!kept.record_key) return undefined;
  const place = { tenantId, id: kept.sealed_by_id };
  const keys = await db.vault.tenantKeys(tenantId, [kept.record_key]);
  const keyContext =
    kept.sealed_by === 'VERIFICATION' ? sealingContext.verification.key : sealingContext.transaction.key;
  return keys
    .openRecordKey(kept.record_key, keyContext(place))
    .open(sealingContext.transaction.answer(place, key), kept.body);
}

interface KeyScope {
  /** Whose keys are told apart: the caller's tenant, or OPERATOR_SCOPE. */
  tenantId: string;
  idempotency: Idempotency | null;
  now: Date;
}

/** What an effect answers, and whose key seals the kept copy: a record's own where the answer shows a record. */
export interface EffectAnswer<T> {
  status: number;
  body: T;
  sealer: { tenantId: string; keys: TenantKeys } | { verificationId: string; key: RecordKey };
}

/** Thrown inside a transaction to undo it: the key was taken. */
class KeyTaken extends Error {}

/**
 * Runs an effect that is one database transaction. With an Idempotency-Key the answer is stored in the same transaction;
 * a twin waits for it and is given the kept answer.
 */
export async function withIdempotency<T>(
  db: Database,
  scope: KeyScope,
  effect: (tx: pg.PoolClient) => Promise<EffectAnswer<T>>,
): Promise<KeptAnswer & { replayed: boolean }> {
  const { idempotency } = scope;
  if (idempotency) {
    const kept = await findKeptAnswer(db, scope.tenantId, idempotency);
    if (kept) return { ...kept, replayed: true };
  }
  try {
    const answer = await inTransaction(db.pool, async (tx) => {
      if (idempotency) await reserve(tx, scope, idempotency);
      const made = await effect(tx);
      if (idempotency) await fill(tx, scope, idempotency, made);
      return made;
    });
    return { status: answer.status, headers: {}, body: answer.body, replayed: false };
  } catch (error) {
    if (!(error instanceof KeyTaken) || !idempotency) throw error;
    const kept = await findKeptAnswer(db, scope.tenantId, idempotency);
    if (!kept) throw new DomainError('temporarily_unavailable', 'Try again.', { retryAfterSeconds: 1 });
    return { ...kept, replayed: true };
  }
}

/** A key is free again after 24 hours, even when housekeeping has not come by yet. */
export async function dropStaleKey(db: Queryable, tenantId: string, key: string): Promise<void> {
  await db.query(
    `delete from idempotency_keys where tenant_id = $1 and key = $2 and created_at <= now() - ${KEPT}`,
    [tenantId, key],
  );
}

async function reserve(tx: Queryable, { tenantId, now }: KeyScope, idempotency: Idempotency): Promise<void> {
  await dropStaleKey(tx, tenantId, idempotency.key);
  const place = {
    ...idempotency,
    tenantId,
    status: 0,
    body: null,
    sealedBy: 'TENANT' as const,
    sealedById: tenantId,
    now,
  };
  if (!(await claim(tx, place))) throw new KeyTaken();
}

async function fill<T>(
  tx: Queryable,
  { tenantId }: KeyScope,
  { key }: Idempotency,
  answer: EffectAnswer<T>,
): Promise<void> {
  const { sealedBy, sealedById, body } = sealAnswer(tenantId, key, answer);
  await tx.query(
    `update idempotency_keys set status = $3, body = $4, sealed_by = $5, sealed_by_id = $6
     where tenant_id = $1 and key = $2`,
    [tenantId, key, answer.status, body, sealedBy, sealedById],
  );
}

/** The kept copy of an answer, and by whose key it is sealed. */
export function sealAnswer<T>(
  tenantId: string,
  key: string,
  { sealer, body }: EffectAnswer<T>,
): Pick<KeyClaim, 'sealedBy' | 'sealedById' | 'body'> {
  if ('verificationId' in sealer) {
    const id = sealer.verificationId;
    const sealed = sealer.key.seal(sealingContext.transaction.answer({ tenantId, id }, key), body);
    return { sealedBy: 'VERIFICATION', sealedById: id, body: sealed };
  }
  const sealed = sealer.keys.seal(sealingContext.keptAnswer.body(tenantId, key), body);
  return { sealedBy: 'TENANT', sealedById: sealer.tenantId, body: sealed };
}

/**
 * Keeps a refusal (400 or 422) so that its repeat gets the same answer. Returns what is kept under the key, which is
 * the first answer when another request was faster.
 */
export async function keepRefusal(
  db: Database,
  tenantId: string,
  idempotency: Idempotency,
  refusal: KeptAnswer,
  now: Date,
): Promise<KeptAnswer> {
  const keys = await db.vault.tenantKeys(tenantId);
  const { key } = idempotency;
  await dropStaleKey(db.pool, tenantId, key);
  const taken = await claim(db.pool, {
    ...idempotency,
    tenantId,
    status: refusal.status,
    headers: refusal.headers,
    body: keys.seal(sealingContext.keptAnswer.body(tenantId, key), refusal.body),
    sealedBy: 'TENANT',
    sealedById: tenantId,
    now,
  });
  if (taken) return refusal;
  return (await findKeptAnswer(db, tenantId, idempotency)) ?? refusal;
}
