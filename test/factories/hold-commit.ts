import type pg from 'pg';

export interface HeldCommit {
  /** Its first transaction to commit waits for `go` just before that. */
  pool: pg.Pool;
  /** Resolves when that transaction has done everything else. */
  held: Promise<void>;
  go: () => void;
}

/** Holds a transaction open at its end, with its locks, so that a test can look at what others do meanwhile. */
export function holdCommit(pool: pg.Pool): HeldCommit {
  let go: () => void = () => undefined;
  let arrive: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (go = resolve));
  const held = new Promise<void>((resolve) => (arrive = resolve));
  const beforeCommit = async () => {
    arrive();
    await gate;
  };
  const connect = async () => holding(await pool.connect(), beforeCommit);
  return { pool: replacing(pool, 'connect', connect), held, go };
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
