import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

/** What requests read beyond PostgreSQL's own memory. */
export interface PagesRead {
  /** Pages of 8 kB that were not in shared buffers. */
  pages: number;
  /** How long the server waited for them, in milliseconds: much less where the system's cache had them than where the disk was asked. */
  ms: number;
}

/** Idle connections report their statistics after 10 seconds (PGSTAT_IDLE_INTERVAL of PostgreSQL). */
const REPORTED_MS = 10_500;
const POLL_MS = 50;

/** Lets the server time each reading, and resolves when it does; to be called once before `pagesReadBy`. */
export async function timeReadings(url: string): Promise<void> {
  await ask(url, 'alter system set track_io_timing = on');
  await ask(url, 'select pg_reload_conf()');
  const isTimed = async () =>
    (await ask<{ track_io_timing: string }>(url, 'show track_io_timing'))[0]?.track_io_timing === 'on';
  while (!(await isTimed())) await delay(POLL_MS);
  // What was read until now is reported by then.
  await delay(REPORTED_MS);
}

/** Lets `work` make its requests, and returns what it read of each of these databases, of which nobody else may ask. */
export async function pagesReadBy(urls: readonly string[], work: () => Promise<void>): Promise<PagesRead[]> {
  const before = await Promise.all(urls.map(readSoFar));
  await work();
  await delay(REPORTED_MS);
  const after = await Promise.all(urls.map(readSoFar));
  return after.map(({ pages, ms }, place) => ({
    pages: pages - (before[place]?.pages ?? 0),
    ms: ms - (before[place]?.ms ?? 0),
  }));
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
