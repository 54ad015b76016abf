import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { queueEndingKeys } from '../db/mails/queue-ending-keys.ts';
import { startLoop, type WorkerLoop } from './loop.ts';

const EVERY_MS = 60 * 60_000;
const AGAIN_AFTER_MS = 60_000;

/** Tells tenants every hour of their API keys that end within 14 days. Of several workers one is enough. */
export function startEndingKeysLoop(db: Database, log: Logger): WorkerLoop {
  return startLoop({
    name: 'mails of ending keys',
    idleMs: EVERY_MS,
    troubleMs: AGAIN_AFTER_MS,
    log,
    async work() {
      await queueEndingKeys(db, new Date());
      return false;
    },
  });
}
