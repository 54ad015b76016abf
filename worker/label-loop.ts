import type { Logger } from 'pino';
import type pg from 'pg';
import { dropAbandonedImports } from '../db/labels/label-imports.ts';
import { loadBundledLabels } from '../db/labels/load-bundled-labels.ts';
import { startLoop, type Loop } from './loop.ts';

const EVERY_MS = 60 * 60_000;
const AGAIN_AFTER_MS = 5_000;

/** Loads the labels of this release once, beside everything else, and removes what imports left that were cut off. */
export function startLabelLoop(pool: pg.Pool, log: Logger): Loop {
  const load = async (): Promise<boolean> => {
    const labels = await loadBundledLabels(pool, new Date());
    if (labels > 0) log.info({ labels }, 'the labels of this release are loaded');
    await dropAbandonedImports(pool);
    return false;
  };
  return startLoop(EVERY_MS, AGAIN_AFTER_MS, log, 'bundled labels', load);
}
