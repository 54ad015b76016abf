import type { Queryable } from './postgres.ts';

/** So many rows fill the lists of new entries with some 200 kB, which makes a search 1 ms longer. */
const ROWS = 200;

/**
 * Has the new entries of the search indexes moved to their places beside requests, every 200 rows. PostgreSQL would do it in the
 * statement that fills a list, and everybody in that statement would wait.
 */
export function pendingSearchFlusher(db: Queryable): (added: number) => void {
  let rows = 0;
  let isFlushing = false;
  return (added) => {
    rows += added;
    if (rows < ROWS || isFlushing) return;
    rows = 0;
    isFlushing = true;
    void flushPendingSearch(db)
      // Nothing is lost: the next call moves the same entries, or PostgreSQL itself does.
      .catch(() => undefined)
      .finally(() => (isFlushing = false));
  };
}

/** Returns the number of pages that were moved, or null where another process is moving them. */
export async function flushPendingSearch(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ pages: number | null }>({
    name: 'flush-pending-search',
    text: 'select flush_pending_search() as pages',
  } as { text: string });
  return rows[0]?.pages ?? null;
}
