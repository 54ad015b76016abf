import { Worker } from 'node:worker_threads';
import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import type { NameSearch } from './listed-index.ts';
import type { ThreadData, ThreadMessage } from './index-thread.ts';
import { walletFinder } from './wallet-finder.ts';

/** An index in its own thread. */
export interface OpenIndex {
  lists: readonly UsedList[];
  /** The number of entries; null where a version added more than the limit, of which none is loaded. */
  entries: number | null;
  findWallet: (address: string) => FoundWallet[];
  /** Returns the matches of each search, or null for a search that failed. Throws IndexGone if the thread has ended. */
  search: (searches: readonly NameSearch[]) => Promise<readonly (readonly FoundMatch[] | null)[]>;
  /** Ends the thread after its last answer. `search` must not be called any more. */
  retire: () => Promise<void>;
  /** Resolves when the thread has ended. */
  ended: Promise<void>;
}

/** The thread of an index has ended before its answer. */
export class IndexGone extends Error {
  override name = 'IndexGone';
}

/** The largest list takes minutes to load on a slow machine. */
const READY_LIMIT_MS = 600_000;

type ThreadAnswers = readonly (readonly FoundMatch[] | null)[];
interface WaitingAnswer {
  resolve: (answers: ThreadAnswers) => void;
  reject: (error: Error) => void;
}

/** Starts a thread that loads its entries. Resolves when it can answer; rejects if it cannot load them. */
export async function openIndex(data: ThreadData, signal?: AbortSignal): Promise<OpenIndex> {
  const thread = startThread(data);
  const waiting = new Map<number, WaitingAnswer>();
  const ended = new Promise<void>((resolve) => {
    thread.once('exit', () => {
      for (const { reject } of waiting.values()) reject(new IndexGone());
      waiting.clear();
      resolve();
    });
  });
  const { lists, entries, wallets } = await whenReady(thread, signal);
  let lastId = 0;
  let retiring = false;
  thread.on('message', (message: ThreadMessage) => {
    if (message.kind !== 'ANSWERS') return;
    waiting.get(message.id)?.resolve(message.answers);
    waiting.delete(message.id);
    if (retiring && waiting.size === 0) void thread.terminate();
  });
  let isGone = false;
  void ended.then(() => (isGone = true));
  return {
    lists,
    entries,
    findWallet: walletFinder(wallets),
    search: async (searches) =>
      await new Promise<ThreadAnswers>((resolve, reject) => {
        if (isGone) return reject(new IndexGone());
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        thread.postMessage({ id: lastId, searches });
      }),
    retire: async () => {
      retiring = true;
      if (waiting.size === 0) await thread.terminate();
      await ended;
    },
    ended,
  };
}

const THREAD = new URL('./index-thread.js', import.meta.url);

function startThread(data: ThreadData): Worker {
  const thread = new Worker(THREAD, { workerData: data });
  // The thread must not keep the process alive.
  thread.unref();
  return thread;
}

type ReadyThread = Extract<ThreadMessage, { kind: 'READY' }>;

/** Waits for the first message. Ends the thread if it takes too long or `signal` aborts; rejects if it ends. */
async function whenReady(thread: Worker, signal?: AbortSignal): Promise<ReadyThread> {
  let cause: unknown;
  thread.on('error', (error) => (cause = error));
  const limit = AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(READY_LIMIT_MS)]);
  const end = () => void thread.terminate();
  limit.addEventListener('abort', end);
  if (limit.aborted) end();
  try {
    return await new Promise<ReadyThread>((resolve, reject) => {
      thread.once('message', (message: ReadyThread) => resolve(message));
      thread.once('exit', () => reject(new Error('the index could not be loaded', { cause })));
    });
  } finally {
    limit.removeEventListener('abort', end);
  }
}
