import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** What requests read beyond PostgreSQL's own memory, each on average. */
export interface PagesRead {
  /** Pages of 8 kB that were not in shared buffers. */
  pages: number;
  /** How long the server waited for them, in milliseconds: much less where the system's cache had them than where the disk was asked. */
  ms: number;
}

/** Idle connections report their statistics after 10 seconds (PGSTAT_IDLE_INTERVAL of PostgreSQL). */
const REPORTED_MS = 10_500;

/** Lets the server time each reading; to be called once before `pagesReadBy`. */
export async function timeReadings(url: string): Promise<void> {
  await ask(url, 'alter system set track_io_timing = on');
  await ask(url, 'select pg_reload_conf()');
}

/** Lets `work` make `requests` requests, and returns what one of them read of the database at `url`, and nothing else may ask. */
export async function pagesReadBy(
  url: string,
  requests: number,
  work: () => Promise<void>,
): Promise<PagesRead> {
  const before = await readSoFar(url);
  await work();
  await delay(REPORTED_MS);
  const after = await readSoFar(url);
  return { pages: (after.pages - before.pages) / requests, ms: (after.ms - before.ms) / requests };
}

async function readSoFar(url: string): Promise<PagesRead> {
  const [row] = await ask<PagesRead>(
    url,
    'select blks_read::float8 as pages, blk_read_time as ms from pg_stat_database where datname = current_database()',
  );
  if (!row) throw new Error('the server has no statistics of the database');
  return row;
}

async function ask<Row extends pg.QueryResultRow>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
