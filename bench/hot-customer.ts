import pg from 'pg';
import type { Database } from '../db/database.ts';
import { readScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import { newId } from '../db/new-id.ts';
import { subjectTokenOf } from '../db/transactions/search-tokens.ts';
import { newTransaction } from '../domain/transactions/new-transaction.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import { CreateTransactionBody } from '../domain/transactions/schema.ts';
import { openDatabase } from '../process/open-database.ts';
import { readSettings } from '../process/settings.ts';
import { withProgress } from '../standalone/progress.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { loadTransactions } from './load-transactions.ts';
import { newDeployment, startApi, type BenchTenant } from './product.ts';
import { sampleBody } from './sample-body.ts';
import { median, msOf, percentile } from './statistics.ts';
import { withoutIndexes } from './without-indexes.ts';

const FULL = { rows: 500_000, models: 1_000, asked: 30 };
const QUICK = { rows: 5_000, models: 500, asked: 3 };
/** Of how many transactions one is of the customer. */
const CUSTOMERS = [
  { every: 10, goalMs: 20 },
  { every: 50, goalMs: 5 },
];

/**
 * (y) Measures what the database finds for a decision on a transfer of a customer with 50,000 transfers in the 24 hours before, and of
 * one with 10,000, beside 440,000 of others. In turn with the sum over the rows of the customer.
 */
export async function measureHotCustomer(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenant = await api.createTenant('Hot Exchange');
  await api.stop();
  const settings = { ...readSettings({}), ...deployment, ENVIRONMENT: 'sandbox' as const };
  const db = await openDatabase({ settings, onIdleError: () => undefined });
  const load = { url: deployment.DATABASE_URL, tenant, count: size.models, say: () => undefined };
  await loadTransactions(db, load);
  const client = new pg.Client({ connectionString: deployment.DATABASE_URL });
  await client.connect();
  const now = new Date();
  const keys = await db.vault.tenantKeys(tenant.id);
  const customers = CUSTOMERS.map(({ every, goalMs }) => {
    const record = recordOf(tenant, `customer-${every}`, now);
    return { every, goalMs, record, token: subjectTokenOf(record, keys) };
  });
  const loaded = loadDay(client, { rows: size.rows, until: now, customers });
  await withProgress(installation.log, `(y) ${size.rows} transactions of a day`, loaded);
  const figures: BenchFigure[] = [];
  for (const { every, goalMs, record, token } of customers) {
    const times = { read: [] as number[], rows: [] as number[] };
    for (let n = 0; n < size.asked; n += 1) {
      times.read.push(await msOf(async () => await readAll(db, record, size.rows / every)));
      times.rows.push(await msOf(async () => await client.query(BY_ROWS, [tenant.id, token, now])));
    }
    figures.push(figureOf(size.rows / every, goalMs, times));
  }
  await client.end();
  await db.close();
  return figures;
}

function recordOf(tenant: BenchTenant, customerIdentification: string, now: Date): TransactionRecord {
  const { originator, ...body } = sampleBody(1);
  const parsed = CreateTransactionBody.parse({
    ...body,
    originator: { ...originator, customerIdentification },
  });
  const { record } = newTransaction(parsed, {
    id: newId(now),
    tenant: { ...tenant, email: null },
    actor: { kind: 'API_KEY', id: tenant.id },
    now,
    price: undefined,
  });
  return record;
}

interface Day {
  rows: number;
  until: Date;
  customers: { every: number; token: bigint | null }[];
}

// The rows of a customer stand among those of others, as they come. Of the quarters of an hour that are over the worker has folded
// what was noted.
const FOLDED = `
  with gone as (delete from customer_sums returning *)
  insert into customer_sums
  select tenant_id, subject_token, direction, quarter, sum(count), sum(unpriced), sum(eur) from gone
  group by tenant_id, subject_token, direction, quarter`;

/** Copies the transactions that are there, evenly over the 24 hours; of each `every` one is a customer's. */
async function loadDay(client: pg.Client, { rows, until, customers }: Day): Promise<void> {
  const { rows: names } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_schema = 'public' and table_name = 'transactions' and is_generated = 'NEVER'
       and column_name not in ('id', 'reference', 'created_at', 'updated_at', 'subject_token', 'amount_eur')`,
  );
  const columns = names[0]?.columns ?? '';
  const tokens = customers.map(({ every, token }, place) => `when n % ${every} = ${place} then ${token}`);
  await client.query(
    'create temporary table models as select *, row_number() over () - 1 as place from transactions',
  );
  await withoutIndexes(client, 'transactions', async () => {
    await client.query(
      `insert into transactions (id, ${columns}, created_at, updated_at, subject_token, amount_eur)
       select lpad(to_hex(10000000 + n), 32, '0')::uuid, ${columns}, at, at, case ${tokens.join(' ')} else n end, 1.5
       from generate_series(0, $1::bigint - 1) n
         cross join lateral (select $2::timestamptz - interval '24 hours' * (1 - n / $1::float8) as at) a
         join models on place = n % (select count(*) from models) order by n`,
      [rows, until],
    );
  });
  await client.query(FOLDED);
  await client.query('vacuum (analyze) transactions, customer_sums');
}

async function readAll(db: Database, record: TransactionRecord, count: number): Promise<void> {
  const { rolling24h } = await readScreeningContext(db, record, null, new Date());
  if (Math.abs(Number(rolling24h?.count) - count) > 2) throw new Error(`${rolling24h?.count} of ${count}`);
}

const BY_ROWS = `
  select count(*), sum(amount_eur) from transactions
  where tenant_id = $1 and subject_token = $2 and direction = 'OUTGOING' and deleted_at is null
    and (not sealed or release_id is not null) and status not in ('CANCELLED', 'DECLINED', 'FAILED')
    and created_at > $3::timestamptz - interval '24 hours' and created_at <= $3`;

function figureOf(count: number, goalMs: number, times: { read: number[]; rows: number[] }): BenchFigure {
  const ms = median(times.read);
  const rowsMs = median(times.rows);
  return {
    measure: 'y',
    name: `what the database finds for a decision on a customer with ${count} transfers in 24 hours`,
    value: `${(ms / rowsMs).toPrecision(2)} times (p50 ${ms.toFixed(1)} ms, p99 ${percentile(times.read, 0.99).toFixed(1)} ms)`,
    comparedTo: `the sum over the rows of the customer alone (p50 ${rowsMs.toFixed(1)} ms)`,
    goal: `p50 ${goalMs} ms`,
    met: ms <= goalMs,
  };
}
