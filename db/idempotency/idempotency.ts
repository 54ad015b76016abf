import type pg from 'pg';
import { DomainError, notFound } from '../../domain/errors.ts';
import { KEPT_SECONDS } from '../../domain/retention.ts';
import { type Database } from '../database.ts';
import { columnNames, insertSql, unnestValues, type Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { Idempotency, IdempotentCall } from './idempotent-call.ts';
import {
  RECORD_KEYS,
  sealAnswer,
  STILL_STANDS,
  type SealedBy,
  type SealedCopy,
  type ShownRecord,
} from './shown-record.ts';

/** An answer as it was first given. */
export interface KeptAnswer {
  /** 0 while a request that leased the key runs. */
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** A key taken together with the answer to its request. */
export interface KeyClaim extends IdempotentCall {
  status: number;
  headers?: Record<string, string>;
  body: Buffer | null;
  sealedBy: SealedBy;
  sealedById: string;
  now: Date;
}

const KEPT = `interval '${KEPT_SECONDS.idempotencyKeys} seconds'`;
/** SQL: true for a key that is not older than its retention. */
export const IS_KEPT = `created_at > now() - ${KEPT}`;

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

type KeyOfTenant = Pick<IdempotentCall, 'tenantId' | 'key'>;

const keyLock = (tenantId: string, key: string) =>
  `hashtextextended('idempotency key ' || ${tenantId}::text || ' ' || ${key}, 0)`;

/**
 * SQL: whether no effect is under way that has taken the key of a row \`r\`. The row of such a key is not committed and keeps
 * whoever inserts the same waiting for as long as the effect takes: who does it together with others, or without a turn, asks first.
 */
export const isKeyFree = (tenantId = 'r.tenant_id', key = 'r.key') =>
  `pg_try_advisory_xact_lock_shared(${keyLock(tenantId, key)})`;

/** Waits until no effect is under way that has taken the key. */
export async function waitForKey(tx: Queryable, { tenantId, key }: KeyOfTenant): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock_shared(${keyLock('$1::uuid', '$2::text')})`, [tenantId, key]);
}

/** Lets whoever asks for the key know, until the end of the transaction, that an effect under it is under way. */
async function lockKey(tx: Queryable, { tenantId, key }: KeyOfTenant): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${keyLock('$1::uuid', '$2::text')})`, [tenantId, key]);
}

const INSERT_CLAIM = `${insertSql('idempotency_keys', claimColumns)} where ${isKeyFree()} on conflict do nothing returning ${columnNames(claimColumns.slice(0, 2))}`;

/** Claims a key; false if it was claimed before, or an effect under it is under way. */
async function insertClaim(tx: Queryable, claim: KeyClaim): Promise<boolean> {
  const { rows } = await tx.query(INSERT_CLAIM, unnestValues(claimColumns, [claim]));
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
  stands: boolean;
}

/**
 * The answer kept under a key, undefined when there is none. Throws idempotency_key_reused when the key was used for
 * another request, and not_found when the answer shows a record that was deleted since.
 */
export async function findKeptAnswer(db: Database, call: IdempotentCall): Promise<KeptAnswer | undefined> {
  const { tenantId, key } = call;
  const { rows } = await db.pool.query<KeptRow>(
    `select i.fingerprint, i.status, i.headers, i.body, i.sealed_by, i.sealed_by_id,
       coalesce(t.record_key, v.record_key, c.record_key) as record_key, ${STILL_STANDS} as stands
     from idempotency_keys i
     left join transactions t on i.sealed_by = 'TRANSACTION' and t.id = i.sealed_by_id
       and t.tenant_id = i.tenant_id and t.deleted_at is null
     left join verifications v on i.sealed_by = 'VERIFICATION' and v.id = i.sealed_by_id
       and v.tenant_id = i.tenant_id and v.deleted_at is null
     left join claims c on i.sealed_by = 'CLAIM' and c.id = i.sealed_by_id and c.tenant_id = i.tenant_id
       and c.erased_at is null
     where i.tenant_id = $1 and i.key = $2 and i.${IS_KEPT}`,
    [tenantId, key],
  );
  const kept = rows[0];
  if (!kept) return undefined;
  if (!fingerprintsOf(call).some((one) => one.equals(kept.fingerprint))) throw keyReused();
  if (!kept.stands) throw notFound('record');
  return { status: kept.status, headers: kept.headers, body: await openBody(db, tenantId, key, kept) };
}

/** The fingerprints that a stored key of the same request may have. */
export function fingerprintsOf({ fingerprint, otherFingerprints = [] }: Idempotency): Buffer[] {
  return [fingerprint, ...otherFingerprints];
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
  if (!kept.record_key) throw notFound(kept.sealed_by.toLowerCase());
  const record = { tenantId, id: kept.sealed_by_id };
  const keys = await db.vault.tenantKeys(tenantId, [kept.record_key]);
  return keys
    .openRecordKey(kept.record_key, RECORD_KEYS[kept.sealed_by].context(record))
    .open(sealingContext.transaction.answer(record, key), kept.body);
}

/** The key was used before: nothing was written, and the first answer is to be given. */
export class KeyTaken extends Error {}

/** The verification whose key seals the kept copy of an answer that shows it. */
interface VerificationSealer {
  verificationId: string;
  key: RecordKey;
}

/** The answer of an effect. Its kept copy is sealed by the tenant's key unless it shows another record. */
export interface EffectAnswer {
  status: number;
  body: unknown;
  /** The verification that the answer shows, where its key is at hand. */
  sealer?: VerificationSealer;
  shows?: ShownRecord;
}

/**
 * Runs an effect in one database transaction that also takes the Idempotency-Key and keeps the answer. Waits for a twin
 * whose transaction is still open. Throws KeyTaken, and then nothing is written.
 */
export async function commitOnce<A extends EffectAnswer>(
  db: Database,
  call: IdempotentCall,
  effect: (tx: pg.PoolClient) => Promise<A>,
): Promise<A> {
  // Loaded before the database transaction, to keep it short.
  await db.vault.tenantKeys(call.tenantId);
  return await inTransaction(db.pool, async (tx) => {
    await reserve(tx, call);
    const answer = await effect(tx);
    await fill(db, tx, call, answer);
    return answer;
  });
}

/** Frees a key that is older than 24 hours, in case housekeeping has not removed it yet; not while an effect under it is under way. */
export async function dropStaleKey(db: Queryable, { tenantId, key }: KeyOfTenant): Promise<void> {
  await db.query(
    `delete from idempotency_keys where tenant_id = $1 and key = $2 and created_at <= now() - ${KEPT}
       and ${isKeyFree('tenant_id', 'key')}`,
    [tenantId, key],
  );
}

async function reserve(tx: Queryable, call: IdempotentCall): Promise<void> {
  await lockKey(tx, call);
  await dropStaleKey(tx, call);
  await dropEndedLease(tx, call);
  const taken = await insertClaim(tx, {
    ...call,
    status: 0,
    body: null,
    sealedBy: 'TENANT',
    sealedById: call.tenantId,
    now: new Date(),
  });
  if (!taken) throw new KeyTaken();
}

/** Frees a key that a process of an earlier version leased for the same request, and did not live to answer. */
async function dropEndedLease(tx: Queryable, call: IdempotentCall): Promise<void> {
  await tx.query(
    `delete from idempotency_keys
     where tenant_id = $1 and key = $2 and fingerprint = any($3::bytea[]) and leased_until < now()`,
    [call.tenantId, call.key, fingerprintsOf(call)],
  );
}

async function fill(db: Database, tx: Queryable, call: IdempotentCall, answer: EffectAnswer): Promise<void> {
  const { status, body, sealer } = answer;
  const sealed = sealer ? sealByVerification(call, sealer, body) : await sealAnswer(db, tx, call, answer);
  if (!sealed) throw new Error('an effect shows a record that does not stand');
  await tx.query(
    `update idempotency_keys set status = $3, body = $4, sealed_by = $5, sealed_by_id = $6, shown_kind = $7,
       shown_id = $8
     where tenant_id = $1 and key = $2`,
    [call.tenantId, call.key, status, ...copyColumns(sealed)],
  );
}

/** The values of `body`, `sealed_by`, `sealed_by_id`, `shown_kind` and `shown_id`. */
export function copyColumns({ body, sealedBy, sealedById, shown }: SealedCopy): unknown[] {
  return [body, sealedBy, sealedById, shown?.kind ?? null, shown?.id ?? null];
}

function sealByTenant({ tenantId, key }: IdempotentCall, keys: TenantKeys, body: unknown): SealedCopy {
  const sealed = keys.seal(sealingContext.keptAnswer.body(tenantId, key), body);
  return { sealedBy: 'TENANT', sealedById: tenantId, body: sealed, shown: null };
}

/** The kept copy of an answer that shows a verification: erasing the verification erases the copy. */
export function sealByVerification(
  { tenantId, key }: IdempotentCall,
  { verificationId: id, key: recordKey }: VerificationSealer,
  body: unknown,
): SealedCopy {
  const sealed = recordKey.seal(sealingContext.transaction.answer({ tenantId, id }, key), body);
  return { sealedBy: 'VERIFICATION', sealedById: id, body: sealed, shown: null };
}

/**
 * Keeps a refusal (400 or 422) so that its repeat gets the same answer. Returns what is kept under the key, which is
 * the first answer when another request was faster; undefined, with nothing kept, while an effect under the key is under way.
 */
export async function keepRefusal(
  db: Database,
  call: IdempotentCall,
  refusal: KeptAnswer,
): Promise<KeptAnswer | undefined> {
  const keys = await db.vault.tenantKeys(call.tenantId);
  await dropStaleKey(db.pool, call);
  const { status, headers, body } = refusal;
  const sealed = sealByTenant(call, keys, body);
  const taken = await insertClaim(db.pool, { ...call, ...sealed, status, headers, now: new Date() });
  if (taken) return refusal;
  const kept = await findKeptAnswer(db, call);
  return kept?.status === 0 ? refusal : kept;
}
