import { DomainError } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import {
  copyColumns,
  dropStaleKey,
  findKeptAnswer,
  fingerprintsOf,
  isKeyFree,
  type KeptAnswer,
} from './idempotency.ts';
import type { IdempotentCall } from './idempotent-call.ts';
import { sealAnswer, type ShownRecord } from './shown-record.ts';

/** After this time another request with the key may run the effect; the first one is taken for dead. */
export const LEASE_SECONDS = 60;

/** A taken key: the moment until which it is held says who holds it. */
export interface IdempotencyLease extends IdempotentCall {
  until: Date;
}

/** A lease just taken. */
interface TakenLease {
  lease: IdempotencyLease;
  /** The work that an earlier holder has begun, as noted by `noteBegun`; null if none. */
  begunId: string | null;
}

/**
 * Takes an Idempotency-Key for an effect that is more than one statement. Gives the kept answer of an earlier request
 * instead, if there is one. Throws idempotency_key_reused, and conflict while the first request still runs.
 */
export async function takeLease(
  db: Database,
  call: IdempotentCall,
): Promise<TakenLease | { kept: KeptAnswer }> {
  await dropStaleKey(db.pool, call);
  const { rows } = await db.pool.query<{ leased_until: Date; begun_id: string | null }>(
    `insert into idempotency_keys as i (tenant_id, key, fingerprint, status, sealed_by, sealed_by_id, created_at,
       leased_until)
     select $1, $2, $3, 0, 'TENANT', $1, now(), now() + make_interval(secs => ${LEASE_SECONDS})
     where ${isKeyFree('$1::uuid', '$2::text')}
     on conflict (tenant_id, key) do update set leased_until = excluded.leased_until
       where i.leased_until < now() and i.fingerprint = any($4::bytea[])
     returning leased_until, headers ->> 'begun' as begun_id`,
    [call.tenantId, call.key, call.fingerprint, fingerprintsOf(call)],
  );
  if (rows[0]) return { lease: { ...call, until: rows[0].leased_until }, begunId: rows[0].begun_id };
  const kept = await findKeptAnswer(db, call);
  // A status is only there once the effect has ended; without a row the first request has just given up, or is not stored yet.
  if (kept && kept.status > 0) return { kept };
  throw stillRunning();
}

/** The error for a repeat while the first request runs. */
export function stillRunning(): DomainError {
  return new DomainError('conflict', 'A request with this Idempotency-Key is still running.', {
    retryAfterSeconds: 2,
  });
}

/** Prolongs a lease to its full time from now on. Null if another request has taken the key over. */
export async function renewLease(db: Database, lease: IdempotencyLease): Promise<IdempotencyLease | null> {
  const { tenantId, key, until } = lease;
  const { rows } = await db.pool.query<{ leased_until: Date }>(
    `update idempotency_keys set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
     where tenant_id = $1 and key = $2 and leased_until = $3 returning leased_until`,
    [tenantId, key, until],
  );
  return rows[0] ? { ...lease, until: rows[0].leased_until } : null;
}

/**
 * Notes with the lease what the request begins, so that a request that takes the key over finds it. The headers of the
 * kept answer replace the note. False if another request has taken the key over.
 */
export async function noteBegun(tx: Queryable, lease: IdempotencyLease, id: string): Promise<boolean> {
  const { tenantId, key, until } = lease;
  const { rowCount } = await tx.query(
    `update idempotency_keys set headers = jsonb_build_object('begun', $4::text)
     where tenant_id = $1 and key = $2 and leased_until = $3`,
    [tenantId, key, until, id],
  );
  return rowCount === 1;
}

/**
 * Keeps the answer to the request that holds the lease, or frees its key if the record that it shows was deleted. False
 * if another request has taken the key over; nothing changes then.
 */
export async function keepLeasedAnswer(
  db: Database,
  lease: IdempotencyLease,
  answer: KeptAnswer & { shows?: ShownRecord | undefined },
  tx: Queryable = db.pool,
): Promise<boolean> {
  const { tenantId, key, until } = lease;
  const sealed = await sealAnswer(db, tx, lease, answer);
  if (!sealed) return await releaseLease(tx, lease);
  const { rowCount } = await tx.query(
    `update idempotency_keys set status = $4, headers = $5, body = $6, sealed_by = $7, sealed_by_id = $8,
       shown_kind = $9, shown_id = $10, leased_until = null
     where tenant_id = $1 and key = $2 and leased_until = $3`,
    [tenantId, key, until, answer.status, JSON.stringify(answer.headers), ...copyColumns(sealed)],
  );
  return rowCount === 1;
}

/** Frees the key of a request that came to no answer worth keeping: its repeat runs. False if it was not the holder. */
async function releaseLease(db: Queryable, { tenantId, key, until }: IdempotencyLease): Promise<boolean> {
  const { rowCount } = await db.query(
    'delete from idempotency_keys where tenant_id = $1 and key = $2 and leased_until = $3',
    [tenantId, key, until],
  );
  return rowCount === 1;
}

/**
 * Ends the lease of a request that failed or was refused. What it has begun stays noted, for the repeat that takes the key
 * over; a key under which nothing was begun is free.
 */
export async function lapseLease(db: Queryable, { tenantId, key, until }: IdempotencyLease): Promise<void> {
  await db.query(
    `with lapsed as (
       update idempotency_keys set leased_until = now()
       where tenant_id = $1 and key = $2 and leased_until = $3 and headers ->> 'begun' is not null
     )
     delete from idempotency_keys
     where tenant_id = $1 and key = $2 and leased_until = $3 and headers ->> 'begun' is null`,
    [tenantId, key, until],
  );
}
