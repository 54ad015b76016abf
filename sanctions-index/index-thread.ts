import { parentPort, workerData } from 'node:worker_threads';
import { readAddedEntries } from '../db/lifecycle/rescreen.ts';
import { openPool, type Queryable } from '../db/postgres.ts';
import { readActiveVersions } from '../db/sanctions-lists/read-versions.ts';
import { streamEntries } from '../db/sanctions-lists/stream-entries.ts';
import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { ListedIndexBuilder, type ListedEntry, type ListedIndex, type NameSearch } from './listed-index.ts';
import { addWallets, walletTable, type WalletTable } from './wallet-finder.ts';

/** Start data of the thread. */
export interface ThreadData {
  databaseUrl: string;
  /** Only what this version added; left out for all entries of the active versions. */
  added?: AddedEntries;
}

/** The entries that a version of a list added, if there are at most `limit`. */
export interface AddedEntries {
  code: string;
  version: number;
  limit: number;
}

/** A batch of names to search for; the answers come as one message. */
export interface SearchMessage {
  id: number;
  searches: readonly NameSearch[];
}

/** What the thread sends to its owner. */
export type ThreadMessage =
  /** `entries` is their number; null where there are more than the limit of the start data, of which none is loaded. */
  | { kind: 'READY'; lists: readonly UsedList[]; entries: number | null; wallets: WalletTable }
  | { kind: 'ANSWERS'; id: number; answers: readonly (readonly FoundMatch[] | null)[] };

/**
 * The thread that holds one index. It reads the entries itself, so that entries never pass through the thread that
 * answers requests, and searches until it is ended. Any failure ends the thread, and its owner starts another.
 */
async function main(data: ThreadData, post: (message: ThreadMessage) => void): Promise<ListedIndex> {
  const { index, ready } = await load(data);
  await giveBackMemory();
  post(ready);
  return index;
}

interface LoadedList {
  index: ListedIndex;
  ready: Extract<ThreadMessage, { kind: 'READY' }>;
}

async function load({ databaseUrl, added }: ThreadData): Promise<LoadedList> {
  const pool = openPool(databaseUrl, 1, () => undefined);
  try {
    return added ? await loadAdded(pool, added) : await loadActive(pool);
  } finally {
    await pool.end();
  }
}

async function loadActive(pool: Queryable): Promise<LoadedList> {
  const active = await readActiveVersions(pool);
  const loading = new Loading();
  const versions = new Map(active.map(({ code, version }) => [code, version]));
  for await (const { entry, rowHash } of streamEntries(pool, active)) {
    loading.add({ entry, rowHash, version: versions.get(entry.list) ?? 0 });
  }
  return loading.end(active.map(({ code, version, publishedAt }) => ({ code, version, publishedAt })));
}

async function loadAdded(pool: Queryable, { code, version, limit }: AddedEntries): Promise<LoadedList> {
  const loading = new Loading();
  const added = await readAddedEntries(pool, { code, version }, limit);
  for (const stored of added ?? []) loading.add({ ...stored, version });
  const { index, ready } = loading.end([]);
  return { index, ready: { ...ready, ...(added === null && { entries: null }) } };
}

/** Collects entries for both ways in which they are found. */
class Loading {
  readonly #builder = new ListedIndexBuilder();
  readonly #wallets = walletTable();
  #entries = 0;

  add({ entry, rowHash, version }: ListedEntry): void {
    this.#builder.add({ entry, rowHash, version });
    addWallets(this.#wallets, { entry, entryHash: rowHash.toString('hex'), version });
    this.#entries += 1;
  }

  end(lists: readonly UsedList[]): LoadedList {
    const ready = { kind: 'READY' as const, lists, entries: this.#entries, wallets: this.#wallets };
    return { index: this.#builder.build(), ready };
  }
}

/** Returns null for a search that failed, so that the other searches of its batch are answered. */
function searchSafely(index: ListedIndex, nameSearch: NameSearch): FoundMatch[] | null {
  try {
    return index.search(nameSearch);
  } catch {
    return null;
  }
}

const port = parentPort;
if (!port) throw new Error('this file is run as a thread');
const post = (message: ThreadMessage) => port.postMessage(message);
const index = await main(workerData as ThreadData, post);
port.on('message', ({ id, searches }: SearchMessage) => {
  post({ kind: 'ANSWERS', id, answers: searches.map((nameSearch) => searchSafely(index, nameSearch)) });
});
