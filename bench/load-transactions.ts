import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { recountNext } from '../db/statistics/recount.ts';
import { transactionTable, type SealedTransaction } from '../db/transactions/row.ts';
import type { TenantKeys } from '../db/vault/tenant-keys.ts';
import { normalHash } from '../domain/address.ts';
import { newTransaction } from '../domain/transactions/new-transaction.ts';
import { CreateTransactionBody } from '../domain/transactions/schema.ts';
import { copyRows } from '../db/copy-rows.ts';
import { sampleAddress, sampleBody, sampleHash } from './sample-body.ts';
import { sealingContext } from '../db/vault/contexts.ts';
import { withoutIndexes } from './without-indexes.ts';

interface Load {
  url: string;
  tenant: Tenant;
  count: number;
  /** When they were created, evenly; one a minute until now unless given. */
  period?: { from: Date; until: Date };
  say: (done: number) => void;
}

interface Tenant {
  id: string;
  name: string;
}

/** First names to search for. One beneficiary in `every` has it, spread evenly over all rows. */
export const SEARCHED = [
  { word: 'Rosalind', every: 100 },
  { word: 'Ottokar', every: 10 },
] as const;

/** Number of different pairs of originator and beneficiary, which recur like real customers. */
const PAIRS = 5_000;
/** Time between two transactions. They end now. */
const SPACING_MS = 60_000;

/**
 * Inserts completed transactions for a tenant. Each has its own id, time, address, hash, key and encrypted data, so the api
 * reads it like any other. Names and search tokens repeat every 5,000 rows, to generate them faster. No events are
 * written, since no list reads them. They are counted afterwards, as after an upgrade.
 */
export async function loadTransactions(db: Database, { url, tenant, ...load }: Load): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await loadRows(db, client, await sealedRows(db, [tenant], load), async () => Promise.resolve());
  await client.end();
}

interface LoadOfMany {
  tenants: readonly Tenant[];
  /** Of each tenant. */
  count: number;
  period: { from: Date; until: Date };
}

/** Does the same for each of many tenants. `more` adds rows of its own to the table while it has no indexes. */
export async function loadForTenants(
  db: Database,
  client: pg.Client,
  { tenants, ...rows }: LoadOfMany,
  more: () => Promise<void>,
): Promise<void> {
  await loadRows(db, client, await sealedRows(db, tenants, { ...rows, say: () => undefined }), more);
}

async function loadRows(
  db: Database,
  client: pg.Client,
  rows: Iterable<SealedTransaction>,
  more: () => Promise<void>,
): Promise<void> {
  await withoutIndexes(client, 'transactions', async () => {
    await copyRows(client, 'transactions', transactionTable.columns, rows);
    await more();
  });
  await client.query('vacuum (analyze) transactions');
  await client.query(
    'update tenants set statistics_due = true where id in (select tenant_id from transactions)',
  );
  while (await recountNext(db.pool));
}

type Rows = Pick<Load, 'count' | 'period' | 'say'>;

/** The rows of all the tenants, made as they are read. */
async function sealedRows(
  { vault }: Database,
  tenants: readonly Tenant[],
  rows: Rows,
): Promise<Iterable<SealedTransaction>> {
  const owners: { tenant: Tenant; keys: TenantKeys }[] = [];
  for (const tenant of tenants) owners.push({ tenant, keys: await vault.tenantKeys(tenant.id) });
  return (function* () {
    for (const [place, { tenant, keys }] of owners.entries())
      yield* rowsOf(keys, tenant, { ...rows, first: place * rows.count });
  })();
}

/** `first` is the number of the first of them: no other tenant has their addresses and hashes. */
function* rowsOf(
  keys: TenantKeys,
  tenant: Tenant,
  { count, period, say, first }: Rows & { first: number },
): Generator<SealedTransaction> {
  const models = Array.from({ length: Math.min(PAIRS, count) }, (_, n) => modelOf(keys, tenant, n));
  const spacingMs = period ? (period.until.getTime() - period.from.getTime()) / count : SPACING_MS;
  const startMs = period?.from.getTime() ?? Date.now() - count * spacingMs;
  for (let n = 0; n < count; n += 1) {
    const model = models[n % models.length];
    if (model) yield rowLike(model, keys, first + n, new Date(startMs + Math.floor(n * spacingMs)));
    if (n % 100_000 === 99_999) say(n + 1);
  }
}

type Model = Pick<SealedTransaction, 'record' | 'derived' | 'searchTokens'>;

const ENDED = {
  status: 'CONFIRMED',
  screeningState: 'CLEARED',
  deadlineAt: null,
  wakeAt: null,
} as const;

function modelOf(keys: TenantKeys, tenant: Tenant, n: number): Model {
  const now = new Date();
  const { record: accepted } = newTransaction(searchableBody(n), {
    id: newId(now),
    tenant: { ...tenant, email: null },
    actor: { kind: 'API_KEY', id: tenant.id },
    now,
    price: undefined,
  });
  const head = createHash('sha256').update(String(n)).digest();
  const record = { ...accepted, ...ENDED, sequence: 1, head };
  return transactionTable.seal(transactionTable.withNewKey(record, keys), keys);
}

function searchableBody(n: number): CreateTransactionBody {
  const body = sampleBody(n);
  const searched = SEARCHED.find(({ every }) => n % every === every / 2);
  const name = searched ? `${searched.word} Almroth` : body.beneficiary.name;
  return CreateTransactionBody.parse({ ...body, beneficiary: { ...body.beneficiary, name } });
}

function rowLike({ record: model, derived, searchTokens }: Model, keys: TenantKeys, n: number, at: Date) {
  const destination = sampleAddress(n);
  const transactionHash = sampleHash(n);
  const record = {
    ...model,
    id: newId(at),
    destination,
    destinationNormal: destination,
    transactionHash,
    hashNormal: normalHash(transactionHash),
    createdAt: at,
    updatedAt: at,
  };
  const open = transactionTable.withNewKey(record, keys);
  const personal = open.key.seal(sealingContext.transaction.personal(record), record.personal);
  return { ...open, personal, searchTokens, derived };
}
