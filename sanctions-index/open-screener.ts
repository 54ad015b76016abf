import type pg from 'pg';
import type { Logger } from 'pino';
import { naturalBatch } from '../db/natural-batch.ts';
import { DomainError } from '../domain/errors.ts';
import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { SearchFindings } from '../domain/sanctions-screening/make-screening.ts';
import { databaseSearch } from './database-search.ts';
import { keepIndex } from './keep-index.ts';
import type { IndexQuestion } from './listed-index.ts';
import { IndexGone } from './open-index.ts';
import type { SanctionsScreener } from './screener.ts';

interface ScreenerOptions {
  pool: pg.Pool;
  /** The index is loaded over a connection of its own. */
  databaseUrl: string;
  log: Logger;
  /** How often the active versions are looked at; 2 s unless given. */
  lookEveryMs?: number;
}

const LOOK_EVERY_MS = 2_000;
/** More than are answered in the time that a caller waits. */
const MAX_WAITING = 2_000;
/** Small, so that nobody waits long for others of the batch; two under way, so that the thread always has work. */
const BATCH = { maxSize: 8, concurrency: 2 };

/** Begins to load the index at once, and answers at once: from the database until the index is there. */
export function openScreener({
  pool,
  databaseUrl,
  log,
  lookEveryMs = LOOK_EVERY_MS,
}: ScreenerOptions): SanctionsScreener {
  const index = keepIndex({ pool, databaseUrl, log, lookEveryMs });
  const database = databaseSearch(pool);
  const search = naturalBatch<IndexQuestion, SearchFindings<FoundMatch>>({
    ...BATCH,
    run: async (asks) => {
      const open = index.current();
      const lists = await index.activeLists();
      if (!open) return await searchDatabase(asks, lists);
      try {
        const answers = await open.search(asks);
        return answers.map((matches) => findings(matches, open.lists));
      } catch (error) {
        if (!(error instanceof IndexGone)) throw error;
        return await searchDatabase(asks, lists);
      }
    },
  });
  type ActiveLists = Awaited<ReturnType<typeof index.activeLists>>;
  const searchDatabase = async (asks: readonly IndexQuestion[], lists: ActiveLists) =>
    await inTurn(asks, async (ask) => await database.searchName(ask, lists));
  let waiting = 0;
  return {
    searchName: async (ask) => {
      if (waiting >= MAX_WAITING) throw overloaded();
      waiting += 1;
      try {
        return await search(ask);
      } finally {
        waiting -= 1;
      }
    },
    findWallet: async (address) => {
      const open = index.current();
      if (open) return { matches: open.findWallet(address), lists: open.lists, answeredBy: 'INDEX' };
      return await database.findWallet(address, await index.activeLists());
    },
    activeLists: index.activeLists,
    close: index.close,
  };
}

function findings(
  matches: readonly FoundMatch[] | null,
  lists: SearchFindings<FoundMatch>['lists'],
): SearchFindings<FoundMatch> {
  // The engine's own fault; its text could hold what was asked.
  if (matches === null) throw new Error('a search failed');
  return { matches, lists, answeredBy: 'INDEX' };
}

/** One after the other: a database that stands in for the index must stay free for everything else. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function overloaded(): DomainError {
  return new DomainError('temporarily_unavailable', 'Too many screenings are waiting; try again shortly.', {
    retryAfterSeconds: 1,
  });
}
