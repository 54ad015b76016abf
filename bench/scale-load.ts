import pg from 'pg';
import type { Database } from '../db/database.ts';
import { openDatabase } from '../process/open-database.ts';
import { readSettings } from '../process/settings.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchInstallation } from './installation.ts';
import { loadForTenants } from './load-transactions.ts';
import { loadWallets } from './load-wallets.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { withoutIndexes } from './without-indexes.ts';

/** What is stored; of each tenant the same, so that sizes differ by the number of tenants. */
export interface ScaleSize {
  tenants: number;
  /** Of one tenant. Of the transactions `readable` are sealed as the product does, the others are copies that lie further back in the list. */
  transactions: number;
  readable: number;
  wallets: number;
  /** Rows in each table that hangs on transactions, of one tenant. */
  children: number;
}

export interface ScaleDeployment {
  api: RunningApi;
  databaseUrl: string;
  tenants: BenchTenant[];
  transactions: number;
  /** Bytes on disk of the tables with their indexes. */
  bytes: number;
  stop: () => Promise<void>;
}

/** Tenants that are created at once. */
const AT_ONCE = 8;
const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** Starts an api on a new database that holds as much as `size` says. */
export async function startFilled(
  installation: BenchInstallation,
  label: string,
  size: ScaleSize,
): Promise<ScaleDeployment> {
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(scale) ${label}: ${name}`, work);
  const deployment = await newDeployment(installation);
  const api = await step('starting the api', startApi(installation, deployment));
  const tenants = await step(`${size.tenants} tenants`, createTenants(api, size.tenants));
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  await client.connect();
  const transactions = size.tenants * size.transactions;
  await step(`${transactions} transactions`, fillTransactions(db, client, tenants, size));
  await step('the tables that hang on them', fillChildren(client, size));
  const ids = tenants.map(({ id }) => id);
  await step(`${size.tenants * size.wallets} wallets`, loadWallets(client, ids, size.tenants * size.wallets));
  const bytes = await bytesOnDisk(client);
  await client.end();
  await db.close();
  return { api, databaseUrl: deployment.DATABASE_URL, tenants, transactions, bytes, stop: api.stop };
}

async function createTenants(api: RunningApi, count: number): Promise<BenchTenant[]> {
  const tenants: BenchTenant[] = [];
  let next = 0;
  const oneAfterTheOther = async () => {
    while (next < count) {
      next += 1;
      tenants.push(await api.createTenant(`Exchange ${next}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther));
  return tenants;
}

async function fillTransactions(
  db: Database,
  client: pg.Client,
  tenants: readonly BenchTenant[],
  { transactions, readable }: ScaleSize,
): Promise<void> {
  const until = new Date();
  const period = { from: new Date(until.getTime() - YEAR_MS), until };
  await loadForTenants(db, client, { tenants, count: readable, period }, async () => {
    await copyTransactions(client, transactions / readable - 1);
  });
}

/** Columns in which a copy must differ, as real transfers do: nothing else has its address or hash. */
const OWN = [
  'id',
  'reference',
  'created_at',
  'destination',
  'destination_normal',
  'transaction_hash',
  'hash_normal',
];

/** Copies each transaction so many times; the copies are older. */
async function copyTransactions(client: pg.Client, copies: number): Promise<void> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'transactions' and is_generated = 'NEVER' and column_name <> all($1)`,
    [OWN],
  );
  const columns = rows[0]?.columns ?? '';
  await client.query(
    'create temporary table models as select *, row_number() over (order by id) as place from transactions',
  );
  for (let copy = 1; copy <= copies; copy += 1) {
    await client.query(
      `insert into transactions (id, created_at, destination, destination_normal, transaction_hash, hash_normal, ${columns})
       select lpad(to_hex($1::bigint * 10000000 + place), 32, '0')::uuid, created_at - interval '400 days', address, address,
         hash, hash, ${columns}
       from models cross join lateral (
         select '0x' || md5(place || ' ' || $1) || left(md5($1 || ' ' || place), 8) as address,
           '0x' || md5(place || ' ' || $1) || md5($1 || ' ' || place) as hash
       ) own`,
      [copy],
    );
  }
  await client.query('drop table models');
}

const BYTES = (count: number) =>
  `(select decode(string_agg(md5(n || t.id::text), ''), 'hex') from generate_series(1, ${count / 16}) n)`;

// One row of each table for the copies that come first. They are as long as those of the product; nobody opens them.
const CHILDREN: Record<string, string> = {
  events: `
    insert into events (subject_id, sequence, id, tenant_id, subject_kind, version, type, created_at, actor, message, data, hash)
    select id, 1, gen_random_uuid(), tenant_id, 'TRANSACTION', 1, 'CREATED', created_at, 'SYSTEM', 'Created.', '{}', ${BYTES(32)}
    from t`,
  webhook_deliveries: `
    insert into webhook_deliveries
      (id, tenant_id, kind, resource_kind, resource_id, resource_version, body, status, attempts, created_at, finished_at)
    select id, tenant_id, 'transaction.created', 'TRANSACTION', id, 1, ${BYTES(1024)}, 'DELIVERED', 1, created_at, created_at from t`,
  transaction_screenings: `
    insert into transaction_screenings (id, tenant_id, transaction_id, record_version, content, created_at)
    select id, tenant_id, id, 1, ${BYTES(1024)}, created_at from t`,
  rule_decisions: `
    insert into rule_decisions
      (id, tenant_id, transaction_id, sequence, direction, configuration_id, version, decision, decided_by, rests_on_sanctions,
       spent, facts, trace, created_at)
    select id, tenant_id, id, 1, 'OUTGOING', tenant_id, 0, 'PROCEED', 'default', false, '{}', ${BYTES(512)}, ${BYTES(256)}, created_at
    from t`,
};

async function fillChildren(client: pg.Client, { tenants, children }: ScaleSize): Promise<void> {
  for (const [table, insert] of Object.entries(CHILDREN)) {
    await withoutIndexes(client, table, async () => {
      await client.query(
        `with t as materialized (select id, tenant_id, created_at from transactions order by id limit ${tenants * children}) ${insert}`,
      );
    });
    await client.query(`vacuum (analyze) ${table}`);
  }
}

async function bytesOnDisk(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    'select pg_database_size(current_database())::text as bytes',
  );
  return Number(rows[0]?.bytes);
}
