import type { Logger } from 'pino';
import type pg from 'pg';
import { dropAbandonedImports } from '../db/labels/label-imports.ts';
import { loadBundledLabels } from '../db/labels/load-bundled-labels.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 60 * 60_000;
const AGAIN_AFTER_MS = 5_000;

/** Loads the labels of this release once, in the background, and removes the rows of interrupted imports. */
export function startLabelLoop(pool: pg.Pool, log: Logger): WorkerLoop {
  const stopping = new AbortController();
  const load = async (): Promise<boolean> => {
    const labels = await loadUnless(stopping.signal, pool);
    if (labels > 0) log.info({ labels }, 'the labels of this release are loaded');
    await dropAbandonedImports(pool);
    return false;
  };
  const loop = startLoop({
    name: 'bundled labels',
    idleMs: EVERY_MS,
    troubleMs: AGAIN_AFTER_MS,
    log,
    work: load,
  });
  return {
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}

/** A worker that stops leaves the rest to the next one. */
async function loadUnless(signal: AbortSignal, pool: pg.Pool): Promise<number> {
  try {
    return await loadBundledLabels(pool, new Date(), { signal });
  } catch (error) {
    if (signal.aborted) return 0;
    throw error;
  }
}
