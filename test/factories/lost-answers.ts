import type pg from 'pg';

type Query = (...args: unknown[]) => unknown;

/**
 * Runs `work` while the answer to each COMMIT of a transaction with this statement is lost: the server has committed, and
 * the connection ends before its answer arrives. Throws if there was none.
 */
export async function losingCommit<T>(pool: pg.Pool, statement: RegExp, work: () => Promise<T>): Promise<T> {
  const connect = pool.connect.bind(pool) as Query;
  const restored: (() => void)[] = [];
  let lost = 0;
  const spy = jest.spyOn(pool, 'connect').mockImplementation((async (callback?: unknown) => {
    // `pool.query` passes a callback.
    if (callback) return connect(callback);
    const client = (await connect()) as { query: Query };
    const query = client.query;
    const restore = () => (client.query = query);
    restored.push(restore);
    let isMeant = false;
    client.query = (...args) => {
      const text = textOf(args[0]);
      isMeant ||= statement.test(text);
      const result = query.apply(client, args);
      if (!isMeant || text !== 'commit') return result;
      lost += 1;
      restore();
      return (result as Promise<unknown>).then(() => {
        throw new Error('Connection terminated unexpectedly');
      });
    };
    return client;
  }) as never);
  const result = await work().finally(() => {
    spy.mockRestore();
    // A client that was lent twice was replaced twice.
    for (const restore of restored.toReversed()) restore();
  });
  if (lost === 0) throw new Error('no such transaction was committed');
  return result;
}

/** The text of a statement; empty for a stream of COPY. */
function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const { text } = statement as { text?: unknown };
  return typeof text === 'string' ? text : '';
}
