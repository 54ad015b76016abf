import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { requireSettings, withSettings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { walkUnfinished } from '../worker/reconcile.ts';

const USAGE = `usage: reconcile [--all]
Makes the worker process every row that is overdue by a minute; with --all every unfinished row, for a Temporal server
whose database was restored from an old backup.`;

const PAUSE_MS = 1_000;
/** The relay empties a full outbox in about a minute. */
const PATIENCE_MS = 120_000;

/** `npm run reconcile`: exit code 0 when every row was queued, 1 when the outbox stays full. */
await withSettings(async (settings) => {
  const overdue = !readArguments().all;
  const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL']);
  const pool = openPool(DATABASE_URL, 1, () => undefined);
  try {
    const walk = walkUnfinished(pool, { overdue });
    const giveUpAt = Date.now() + PATIENCE_MS;
    let done = await walk.next();
    while (!done && Date.now() < giveUpAt) {
      await delay(PAUSE_MS);
      done = await walk.next();
    }
    const counts = Object.entries(walk.queued).map(([kind, count]) => `${kind} ${count}`);
    console.log(`Queued: ${counts.join(', ')}.`);
    if (done) return;
    console.error(
      'The outbox is full: are the worker and Temporal running? Run this again when it has drained.',
    );
    process.exitCode = 1;
  } finally {
    await pool.end();
  }
});

function readArguments(): { all: boolean } {
  try {
    return parseArgs({ options: { all: { type: 'boolean', default: false } } }).values;
  } catch {
    console.error(USAGE);
    process.exit(1);
  }
}
