import type { Logger } from 'pino';
import { importBundled } from '../activities/sanctions/import-bundled.ts';
import type { Database } from '../db/database.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 60 * 60_000;
const AGAIN_AFTER_MS = 5_000;

interface SnapshotLoop extends WorkerLoop {
  /** Resolves after the first try, whatever came of it: a fresh install screens as soon as it is ready. */
  tried: Promise<void>;
}

/**
 * Imports the sanctions lists that come with the product into a deployment that has no version of them. A try that failed
 * stops nothing else; it is made again, since nothing is screened without a list.
 */
export function startSnapshotLoop(db: Database, log: Logger): SnapshotLoop {
  const stopping = new AbortController();
  let endTry = (): void => undefined;
  const tried = new Promise<void>((resolve) => (endTry = resolve));
  const work = async (): Promise<boolean> => {
    try {
      const lists = await importUnless(stopping.signal, db);
      if (lists.length > 0)
        log.info({ lists }, 'the sanctions lists that come with the product were imported');
      return false;
    } finally {
      endTry();
    }
  };
  const loop = startLoop({
    name: 'import of the sanctions lists that come with the product',
    idleMs: EVERY_MS,
    troubleMs: AGAIN_AFTER_MS,
    log,
    work,
  });
  return {
    tried,
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

/** A worker that stops leaves the import to the next one. */
async function importUnless(signal: AbortSignal, db: Database): Promise<string[]> {
  try {
    return await importBundled(db, () => new Date(), signal);
  } catch (error) {
    if (signal.aborted) return [];
    throw error;
  }
}
