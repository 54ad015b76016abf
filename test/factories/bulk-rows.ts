import type pg from 'pg';
import type { Queryable } from '../../db/postgres.ts';

interface BulkRows {
  count: number;
  /** SQL over the number n of the row. */
  wakeAt: string;
}

/** Rows by the thousand, of tenants in turn, which no API call has made: only their columns are of use. They are not counted. */
export async function bulkTransactions(
  pool: Queryable,
  tenants: string[],
  { count, wakeAt }: BulkRows,
): Promise<void> {
  await pool.query(
    `insert into transactions (id, tenant_id, direction, status, asset, origin_type, destination, destination_normal,
       destination_type, wake_at, record_key, personal, version, sequence, head, created_at, updated_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1)], 'OUTGOING', 'PENDING', 'ETH', 'CUSTODIAL', 'd',
       'd', 'CUSTODIAL', ${wakeAt}, '', repeat('x', 200)::bytea, 1, 1, '', now(), now()
     from generate_series(1, $2::int) n`,
    [tenants, count],
  );
}

export async function bulkClaims(
  pool: pg.Pool,
  tenants: string[],
  { count, wakeAt }: BulkRows,
): Promise<void> {
  await pool.query(
    `insert into claims (id, tenant_id, direction, status, asset, blockchain, blockchain_key, transaction_hash, hash_normal,
       destination, destination_normal, requested_fields, delivery_attempts, looked_for_transfer, deadline_at, wake_at,
       record_key, personal, version, sequence, head, created_at, updated_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1)], 'INCOMING',
       case when ${wakeAt} is null then 'ANSWERED' else 'DELIVERED' end, 'ETH', 'Ethereum', 'Ethereum', n::text, n::text, 'd', 'd',
       '[]', 0, false, now() + interval '7 days', ${wakeAt}, '', repeat('x', 200)::bytea, 1, 1, '', now(), now()
     from generate_series(1, $2::int) n`,
    [tenants, count],
  );
}

export async function bulkVerifications(
  pool: pg.Pool,
  tenants: string[],
  { count, wakeAt }: BulkRows,
): Promise<void> {
  await pool.query(
    `insert into verifications (id, tenant_id, status, allowed_flows, asset, blockchain, blockchain_key, address,
       address_normal, risk_score, warnings, steps, bad_tries, page_revision, reminded, expires_at, wake_at, record_key,
       personal, version, sequence, head, created_at, updated_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1)], case when ${wakeAt} is null then 'VERIFIED' else 'PENDING' end,
       '[]', 'ETH', 'Ethereum', 'Ethereum', 'a', 'a', 0, '[]', '[]', 0, 1, false, now() + interval '1 day', ${wakeAt},
       '', repeat('x', 200)::bytea, 1, 1, '', now(), now()
     from generate_series(1, $2::int) n`,
    [tenants, count],
  );
}

interface BulkDeliveries {
  count: number;
  /** Each SQL over the number n of the row; what has no wakeAt was delivered at finishedAt. */
  wakeAt: string;
  createdAt: string;
  finishedAt: string;
}

export async function bulkDeliveries(
  pool: pg.Pool,
  tenants: string[],
  { count, wakeAt, createdAt, finishedAt }: BulkDeliveries,
): Promise<void> {
  await pool.query(
    `insert into webhook_deliveries (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status,
       wake_at, created_at, finished_at)
     select gen_random_uuid(), ($1::uuid[])[1 + n % cardinality($1)], 'transaction', 'TRANSACTION',
       gen_random_uuid(), 1, repeat('x', 200)::bytea, case when ${wakeAt} is null then 'DELIVERED' else 'FAILED' end,
       ${wakeAt}, ${createdAt}, case when ${wakeAt} is null then ${finishedAt} end
     from generate_series(1, $2::int) n`,
    [tenants, count],
  );
}

/** Tenants that nobody can call as. */
export async function bulkTenants(pool: pg.Pool, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into tenants (id, entity_id, name, name_folded, webhook_secret, created_at, updated_at)
     select id, gen_random_uuid(), id::text, id::text, '', now(), now()
     from (select gen_random_uuid() as id from generate_series(1, $1::int)) made returning id`,
    [count],
  );
  return rows.map((row) => row.id);
}
