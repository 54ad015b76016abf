import { types } from 'node:util';
import pg from 'pg';
import { garbageAfterRows } from './collect-garbage.ts';

/** A pool, or a client inside a transaction: anything that runs one statement. */
export interface Queryable {
  query<R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<pg.QueryResult<R>>;
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>;
}

/** Silence after which a connection is probed. */
const KEEP_ALIVE_MS = 10_000;

const INT8 = 20;
const NUMERIC = 1700;

/** Opens a pool. bigint values arrive as numbers, numeric values as exact text. */
export function openPool(url: string, max: number, onIdleError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 15_000,
    // A server that vanished without a word would never answer, and its connections would never come back.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') => {
        if (oid === INT8) return Number;
        if (oid === NUMERIC) return (text: string) => text;
        return pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown;
      },
    },
  });
  // Without a listener a restart of PostgreSQL would end the process.
  pool.on('error', onIdleError);
  // The pool listens to idle connections only. What runs on one that is lost fails, and so does what would run next.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Lends a connection for `work`. One on which something failed is closed, since it may be lost. */
export async function withConnection<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
}

const RETRYABLE = new Set(['40001', '40P01']);
const MAX_TRIES = 4;

/**
 * Runs `work` in one database transaction. Deadlocks and serialization failures are retried from the start, at most 4
 * attempts; nothing is repeated once COMMIT was sent. `work` must not use the network.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, work, begin);
    } catch (error) {
      if (attempt === MAX_TRIES || !RETRYABLE.has(pgCode(error) ?? '')) throw error;
    }
  }
}

/** Longer than the writes of others hold what they lock, unless they wait for locks themselves. */
const SHORT_WAIT_MS = 100;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Like `inTransaction`, for work of several tenants at once. Null, with nothing done, when it would wait for a lock: the tenant
 * that holds it could keep all the others waiting.
 */
export async function inSharedTransaction<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
): Promise<T | null> {
  try {
    return await inTransaction(pool, work, `begin; set local lock_timeout = ${SHORT_WAIT_MS}`);
  } catch (error) {
    if (pgCode(error) === LOCK_NOT_AVAILABLE) return null;
    throw error;
  }
}

/** Runs `work` on one state of the database, however long it reads. Takes no lock that a writer would wait for. */
export async function inSnapshot<T>(pool: pg.Pool, work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
  return await runOnce(pool, work, 'begin isolation level repeatable read, read only');
}

/**
 * Reads the rows of a query in batches, all from one state of the database, with the memory of one batch. The connection is
 * held until the end; a reader that stops early, or takes more than 15 s for a batch, closes it.
 */
export async function* rowsInSnapshot<R extends pg.QueryResultRow>(
  pool: pg.Pool,
  { text, values }: { text: string; values: unknown[] },
  batch: number,
): AsyncGenerator<R[]> {
  const tx = await pool.connect();
  const countRows = garbageAfterRows();
  let isRead = false;
  try {
    await tx.query('begin isolation level repeatable read, read only');
    await tx.query(`declare snapshot_rows no scroll cursor for ${text}`, values);
    for (let isLast = false; !isLast;) {
      const { rows } = await tx.query<R>(`fetch ${batch} from snapshot_rows`);
      isLast = rows.length < batch;
      if (rows.length > 0) yield rows;
      countRows(rows.length);
    }
    await tx.query('commit');
    isRead = true;
  } finally {
    tx.release(!isRead);
  }
}

async function runOnce<T>(
  pool: pg.Pool,
  work: (tx: pg.PoolClient) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  try {
    await tx.query(begin);
    const result = await work(tx);
    await tx.query('commit');
    return result;
  } catch (error) {
    await tx.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    tx.release(broken);
  }
}

/** Whether a connection ended while a statement ran on it, so that nobody knows if it was done. */
export function isConnectionLost(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  return (
    error.message.startsWith('Connection terminated') || ['ECONNRESET', 'EPIPE'].includes(pgCode(error) ?? '')
  );
}

const SHUT_DOWN = new Set(['57P01', '57P02']);

/** Whether something failed because its connection ended, before or while a statement ran: another one may do it. */
export function isConnectionGone(error: unknown): boolean {
  if (isConnectionLost(error) || SHUT_DOWN.has(pgCode(error) ?? '')) return true;
  return types.isNativeError(error) && error.message.startsWith('Client has encountered a connection error');
}

/** The SQLSTATE of a driver error, else undefined. */
function pgCode(error: unknown): string | undefined {
  if (!types.isNativeError(error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The name of the violated constraint when `error` is a unique violation. */
export function uniqueViolation(error: unknown): string | undefined {
  if (pgCode(error) !== '23505' || !types.isNativeError(error) || !('constraint' in error)) return undefined;
  return typeof error.constraint === 'string' ? error.constraint : undefined;
}
