import type pg from 'pg';
import type { Database } from '../../db/database.ts';
import { eventually } from '../eventually.ts';

export interface HeldCommit {
  /** Its transactions wait for `go` just before they commit. */
  db: Database;
  /** Resolves when the first of them has done everything else. */
  held: Promise<void>;
  go: () => void;
}

/** Holds a transaction open at its end, with its locks, so that a test can look at what others do meanwhile. */
export function holdCommit(db: Database): HeldCommit {
  let go: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const held = new Promise<void>((resolve) => (arrive = resolve));
  const beforeCommit = async () => {
    arrive();
    await gate;
  };
  const connect = async () => holding(await db.pool.connect(), beforeCommit);
  return { db: { ...db, pool: replacing(db.pool, 'connect', connect) }, held, go };
}

function holding(client: pg.PoolClient, beforeCommit: () => Promise<void>): pg.PoolClient {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const held = (...given: unknown[]): unknown =>
    given[0] === 'commit' ? beforeCommit().then(() => query(...given)) : query(...given);
  return replacing(client, 'query', held);
}

/** The object with one other method. */
function replacing<T extends object>(object: T, name: keyof T, method: unknown): T {
  return new Proxy(object, {
    get: (target, key) => {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Waits until somebody in this database waits for an advisory lock, such as that of a route, or for a row. */
export async function untilSomebodyWaits(
  pool: pg.Pool,
  lock: 'advisory' | 'transactionid' | 'relation' = 'advisory',
): Promise<void> {
  const waiting = async () =>
    await pool.query(
      'select 1 from pg_stat_activity where datname = current_database() and wait_event = $1',
      [lock],
    );
  await eventually(waiting, ({ rows }) => rows.length > 0);
}
