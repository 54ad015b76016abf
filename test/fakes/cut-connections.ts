import type pg from 'pg';

export interface ConnectionCuts {
  /** Ends the connection of the statement that comes as the nth from now on. */
  arm: (nth: number, when: 'BEFORE' | 'AFTER') => void;
  /** The statement whose connection was ended; undefined when there were not that many. Nothing is ended from now on. */
  disarm: () => string | undefined;
  /** The statements since the last call of `arm`, in their order; a COPY is `copy`. */
  statements: () => readonly string[];
}

type Query = (...given: unknown[]) => unknown;
type Callback = (error: Error | undefined, result?: unknown) => void;

const PATCHED = Symbol('patched');

/**
 * Ends the connections of a pool at a chosen statement, as an administrator does with pg_terminate_backend: before the server
 * has it, or after it has done it and before anybody has its result. `administrator` has connections of its own.
 */
export function cutConnections(pool: pg.Pool, administrator: pg.Pool): ConnectionCuts {
  const cut: { left: number; when: 'BEFORE' | 'AFTER'; at?: string | undefined } = {
    left: 0,
    when: 'BEFORE',
  };
  let statements: string[] = [];

  async function terminate(client: object): Promise<void> {
    await administrator.query('select pg_terminate_backend($1)', [Reflect.get(client, 'processID')]);
  }

  function patch(client: pg.PoolClient): void {
    if (Reflect.get(client, PATCHED)) return;
    Reflect.set(client, PATCHED, true);
    const query = client.query.bind(client) as Query;
    client.query = ((...given: unknown[]) => {
      const { left, when } = cut;
      cut.left -= 1;
      statements.push(textOf(given[0]));
      if (left !== 1) return query(...given);
      cut.at = textOf(given[0]);
      const callback = given.at(-1);
      if (isStream(given[0])) return endedStream(given, query, terminate(client));
      if (when === 'BEFORE') return endedBefore(given, query, terminate(client));
      if (typeof callback === 'function')
        return query(
          ...given.slice(0, -1),
          losing(callback as Callback, async () => await terminate(client)),
        );
      return loseResult(query(...given) as Promise<unknown>, async () => await terminate(client));
    }) as typeof client.query;
  }

  pool.on('acquire', patch);
  return {
    arm: (nth, when) => {
      statements = [];
      Object.assign(cut, { left: nth, when, at: undefined });
    },
    disarm: () => {
      cut.left = 0;
      return cut.at;
    },
    statements: () => statements,
  };
}

/** The statement goes to a connection that is no more. */
function endedBefore(given: unknown[], query: Query, ended: Promise<void>): unknown {
  if (typeof given.at(-1) !== 'function') return ended.then(async () => await query(...given));
  void ended.then(() => query(...given));
  return undefined;
}

/** COPY: its stream is returned at once and gets no connection until the server has ended it. */
function endedStream(given: unknown[], query: Query, ended: Promise<void>): unknown {
  void ended.then(() => query(...given));
  return given[0];
}

function losing(callback: Callback, terminate: () => Promise<void>): Callback {
  return (error) => void terminate().then(() => callback(error ?? lost()));
}

async function loseResult(running: Promise<unknown>, terminate: () => Promise<void>): Promise<never> {
  await running;
  await terminate();
  throw lost();
}

/** What pg says when a connection ends while a statement runs. */
function lost(): Error {
  return new Error('Connection terminated unexpectedly');
}

function isStream(statement: unknown): boolean {
  return typeof statement === 'object' && statement !== null && 'submit' in statement;
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  if (typeof statement !== 'object' || statement === null) return '';
  const { text } = statement as { text?: string };
  return text ?? 'copy';
}
