import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { sandboxPrices } from '../db/prices/price-memory.ts';
import { createStatement, prepareCreate } from '../db/transactions/create-transactions.ts';
import { newTransaction } from '../domain/transactions/new-transaction.ts';
import { CreateTransactionBody } from '../domain/transactions/schema.ts';
import { viewTransaction } from '../domain/transactions/viewing/view-transaction.ts';
import { sampleBody } from './sample-body.ts';

type Statement = pg.QueryConfig<unknown[]>;

const { priceOf } = sandboxPrices(() => new Date());

interface StatementsToPrepare {
  from: number;
  count: number;
  rowsPerCommit: number;
}

/** Prepares statements that each store so many accepted requests, exactly as the product does. */
export async function prepareStatements(
  db: Database,
  tenant: { id: string; name: string },
  { from, count, rowsPerCommit }: StatementsToPrepare,
): Promise<Statement[]> {
  const statements: Statement[] = [];
  for (let n = from; n < from + count; n += rowsPerCommit) {
    const rows = Array.from({ length: rowsPerCommit }, (_, row) => prepareOne(db, tenant, n + row));
    statements.push(createStatement(await Promise.all(rows)));
  }
  return statements;
}

async function prepareOne(db: Database, tenant: { id: string; name: string }, n: number) {
  const now = new Date();
  const body = CreateTransactionBody.parse(sampleBody(n));
  const { record, event } = newTransaction(body, {
    id: newId(now),
    tenant: { ...tenant, email: null },
    actor: { kind: 'API_KEY', id: tenant.id },
    now,
    price: priceOf(body.asset),
  });
  const fingerprint = createHash('sha256').update(String(n)).digest();
  return await prepareCreate(db, {
    record,
    event,
    idempotency: { key: randomUUID(), fingerprint },
    answer: (stored) => viewTransaction(stored, tenant.id),
  });
}

/** Measures commits per second. Each connection sends its next statement when the previous one is committed. */
export async function commitsPerSecond(
  url: string,
  statements: readonly Statement[],
  connections: number,
): Promise<number> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map(async (client) => await client.connect()));
  let next = 0;
  const startedMs = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let statement = statements[next++]; statement; statement = statements[next++]) {
        await client.query(statement);
      }
    }),
  );
  const seconds = (performance.now() - startedMs) / 1_000;
  await Promise.all(clients.map(async (client) => await client.end()));
  return statements.length / seconds;
}
