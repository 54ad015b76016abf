import type pg from 'pg';
import { newId } from '../../db/new-id.ts';

/** The first moment of the month that is so many after this one. */
export function monthStart(ahead: number): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead));
}

/** The partition of attempts of that month. */
export function partitionOfMonth(ahead: number): string {
  return `webhook_attempts_${monthStart(ahead).toISOString().slice(0, 7).replace('-', '_')}`;
}

/**
 * As in an installation of years: the partition from before the upgrade is gone, and each month from `first` to `last`, counted from
 * this one, has one.
 */
export async function makeMonths(pool: pg.Pool, first: number, last: number): Promise<void> {
  await pool.query('drop table webhook_attempts_before');
  for (let ahead = first; ahead <= last; ahead += 1) {
    const [from, until] = [monthStart(ahead), monthStart(ahead + 1)].map((start) => firstId(start));
    await pool.query(
      `create table if not exists ${partitionOfMonth(ahead)} partition of webhook_attempts for values from ('${from}') to ('${until}')`,
    );
  }
}

/** The lowest id of a moment. */
function firstId(moment: Date): string {
  const time = moment.getTime().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

interface StoredAttempt {
  /** The time of the webhook, of which its id is. */
  madeAt: Date;
  /** Of the attempt: the same unless given. */
  startedAt?: Date;
  id?: string;
}

/** A webhook that was delivered with one attempt, as it is stored. Returns its id. */
export async function storeAttempt(
  db: pg.Pool | pg.PoolClient,
  tenantId: string,
  { madeAt, startedAt = madeAt, id = newId(madeAt) }: StoredAttempt,
): Promise<string> {
  await db.query(
    `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, attempts, created_at,
       finished_at)
     values ($1, $2, 'transaction', 'TRANSACTION', gen_random_uuid(), 1, '', 'DELIVERED', 1, $3, $4)`,
    [id, tenantId, madeAt, startedAt],
  );
  await db.query(
    `insert into webhook_attempts (delivery_id, attempt, tenant_id, started_at, duration_ms, status_code)
     values ($1, 1, $2, $3, 12, 200)`,
    [id, tenantId, startedAt],
  );
  return id;
}

/** The partition in which the attempts of each of the webhooks are; undefined where there is none. */
export async function partitionsOf(pool: pg.Pool, ids: readonly string[]): Promise<(string | undefined)[]> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    'select delivery_id as id, tableoid::regclass::text as name from webhook_attempts where delivery_id = any($1::uuid[])',
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)?.name);
}
