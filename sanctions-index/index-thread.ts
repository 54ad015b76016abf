import { parentPort, workerData } from 'node:worker_threads';
import { openPool } from '../db/postgres.ts';
import { readActiveVersions } from '../db/sanctions-lists/read-versions.ts';
import { streamEntries } from '../db/sanctions-lists/stream-entries.ts';
import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import { giveBackMemory } from './give-back-memory.ts';
import { ListedIndexBuilder, type NameSearch, type ListedIndex } from './listed-index.ts';
import { addWallets, walletTable, type WalletTable } from './wallet-finder.ts';

/** Start data of the thread. */
export interface ThreadData {
  databaseUrl: string;
}

/** A batch of names to search for; the answers come as one message. */
export interface SearchMessage {
  id: number;
  searches: readonly NameSearch[];
}

/** What the thread sends to its owner. */
export type ThreadMessage =
  | { kind: 'READY'; lists: readonly UsedList[]; wallets: WalletTable }
  | { kind: 'ANSWERS'; id: number; answers: readonly (readonly FoundMatch[] | null)[] };

/**
 * The thread that holds one index. It reads the active versions itself, so that entries never pass through the thread that
 * answers requests, and searches until it is ended. Any failure ends the thread, and its owner starts another.
 */
async function main(
  { databaseUrl }: ThreadData,
  post: (message: ThreadMessage) => void,
): Promise<ListedIndex> {
  const { index, ready } = await load(databaseUrl);
  await giveBackMemory();
  post(ready);
  return index;
}

interface LoadedList {
  index: ListedIndex;
  ready: ThreadMessage;
}

async function load(databaseUrl: string): Promise<LoadedList> {
  const pool = openPool(databaseUrl, 1, () => undefined);
  try {
    const lists = await readActiveVersions(pool);
    const builder = new ListedIndexBuilder();
    const wallets = walletTable();
    const versions = new Map(lists.map(({ code, version }) => [code, version]));
    for await (const { entry, rowHash } of streamEntries(pool, lists)) {
      const version = versions.get(entry.list) ?? 0;
      builder.add({ entry, rowHash, version });
      addWallets(wallets, { entry, entryHash: rowHash.toString('hex'), version });
    }
    const used = lists.map(({ code, version, publishedAt }) => ({ code, version, publishedAt }));
    return { index: builder.build(), ready: { kind: 'READY', lists: used, wallets } };
  } finally {
    await pool.end();
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
