import type pg from 'pg';
import type { Logger } from 'pino';
import { fairTurns } from '../db/fair-turns.ts';
import { naturalBatch } from '../db/natural-batch.ts';
import { DomainError } from '../domain/errors.ts';
import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';
import type { ListState } from '../domain/sanctions-screening/list-state.ts';
import type { SearchFindings } from '../domain/sanctions-screening/make-screening.ts';
import { databaseSearch } from './database-search.ts';
import { keepIndex } from './keep-index.ts';
import type { NameSearch } from './listed-index.ts';
import { IndexGone } from './open-index.ts';

/** Searches the active lists. One per process. */
export interface SanctionsScreener {
  /**
   * Searches for a name, of each tenant in turn. Throws temporarily_unavailable if too many searches wait and no tenant has more
   * of them than this one.
   */
  searchName: (tenantId: string, nameSearch: NameSearch) => Promise<SearchFindings<FoundMatch>>;
  /** Like searchName, but never in the database: null while no index is loaded. */
  searchIndex: (tenantId: string, nameSearch: NameSearch) => Promise<SearchFindings<FoundMatch> | null>;
  findWallet: (address: string) => Promise<SearchFindings<FoundWallet>>;
  /** All active lists. Throws temporarily_unavailable if there is none, because nobody can then be cleared. */
  activeLists: () => Promise<readonly ListState[]>;
  /** How long the index has lacked an active list or its version, in milliseconds; 0 while it has them all. */
  behindMs: () => number;
  close: () => Promise<void>;
}

interface ScreenerOptions {
  pool: pg.Pool;
  /** Database of the index, which is loaded over a connection of its own. */
  databaseUrl: string;
  log: Logger;
  /** How often the active versions are read, in milliseconds; 2 s by default. */
  pollMs?: number;
}

const POLL_MS = 2_000;
/** More searches, running ones included, than can be answered in the time that a caller waits. */
const MAX_WAITING = 2_000;
/** Small batches, so that no search waits long for others; two at once, so that the thread always has work. */
const BATCH = { maxSize: 8, concurrency: 2 };
/** What is being searched and the batches that come next; who follows is decided as late as that. */
const AT_ONCE = 2 * BATCH.maxSize * BATCH.concurrency;

/** Starts loading the index and searches at once: in the database until the index is loaded. */
export function openScreener({
  pool,
  databaseUrl,
  log,
  pollMs = POLL_MS,
}: ScreenerOptions): SanctionsScreener {
  const index = keepIndex({ pool, databaseUrl, log, pollMs });
  const database = databaseSearch(pool);
  const search = naturalBatch<NameSearch, SearchFindings<FoundMatch>>({
    ...BATCH,
    run: async (searches) => {
      const open = index.current();
      const lists = await index.activeLists();
      if (!open) return await searchDatabase(searches, lists);
      try {
        const answers = await open.search(searches);
        return answers.map((matches) => findings(matches, open.lists));
      } catch (error) {
        if (!(error instanceof IndexGone)) throw error;
        return await searchDatabase(searches, lists);
      }
    },
  });
  type ActiveLists = Awaited<ReturnType<typeof index.activeLists>>;
  const searchDatabase = async (searches: readonly NameSearch[], lists: ActiveLists) =>
    await oneByOne(searches, async (nameSearch) => await database.searchName(nameSearch, lists));
  const inTurn = fairTurns({
    atOnce: AT_ONCE,
    places: { maxWaiting: MAX_WAITING - AT_ONCE, refusal: overloaded },
  });
  const searchName: SanctionsScreener['searchName'] = async (tenantId, nameSearch) =>
    await inTurn(tenantId, async () => await search(nameSearch));
  return {
    searchName,
    searchIndex: async (tenantId, nameSearch) => {
      // Nobody needs the slower answer of the database.
      if (!index.current()) return null;
      const found = await searchName(tenantId, nameSearch);
      return found.answeredBy === 'INDEX' ? found : null;
    },
    findWallet: async (address) => {
      const open = index.current();
      if (open) return { matches: open.findWallet(address), lists: open.lists, answeredBy: 'INDEX' };
      return await database.findWallet(address, await index.activeLists());
    },
    activeLists: index.activeLists,
    behindMs: index.behindMs,
    close: index.close,
  };
}

function findings(
  matches: readonly FoundMatch[] | null,
  lists: SearchFindings<FoundMatch>['lists'],
): SearchFindings<FoundMatch> {
  // An error of the engine; its message could contain the searched name.
  if (matches === null) throw new Error('a search failed');
  return { matches, lists, answeredBy: 'INDEX' };
}

/** Works one item after the other, so that the database stays free for other work while it replaces the index. */
async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function overloaded(): DomainError {
  return new DomainError('temporarily_unavailable', 'Too many screenings are waiting; try again shortly.', {
    retryAfterSeconds: 1,
  });
}
