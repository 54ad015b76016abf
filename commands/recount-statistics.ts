import { parseArgs } from 'node:util';
import type pg from 'pg';
import { requireSettings, withSettings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { checkCounts } from '../db/statistics/check-counts.ts';
import { markForRecount, recountNext } from '../db/statistics/recount.ts';

const USAGE = `usage: recount-statistics [--check]
Counts the records of all tenants anew, while api and worker go on. With --check it changes nothing, and names the counts that
the records do not bear out.`;

/** `npm run recount-statistics`; with `--check` exit code 1 when a count is wrong. */
await withSettings(async (settings) => {
  const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL']);
  const { check } = readArguments();
  const pool = openPool(DATABASE_URL, 2, () => undefined);
  try {
    if (check) process.exitCode = (await checkAll(pool)) === 0 ? 0 : 1;
    else await recountAll(pool);
  } finally {
    await pool.end();
  }
});

function readArguments(): { check: boolean } {
  try {
    return parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;
  } catch {
    console.error(USAGE);
    process.exit(1);
  }
}

async function recountAll(pool: pg.Pool): Promise<void> {
  await markForRecount(pool);
  while (await recountNext(pool));
  console.log('The statistics of all tenants are counted anew.');
}

/** Prints a line for each wrong count. Returns how many there are. */
async function checkAll(pool: pg.Pool): Promise<number> {
  let tenants = 0;
  let wrong = 0;
  for await (const { tenantId, faults } of checkCounts(pool)) {
    for (const { measure, key, startsAt, stored, counted } of faults)
      console.log(
        `${tenantId}: ${measure} ${key} of ${startsAt.toISOString()}: ${stored}, but there are ${counted}`,
      );
    tenants += 1;
    wrong += faults.length;
  }
  console.log(`The statistics of ${tenants} tenants are compared with their records: ${wrong} wrong counts.`);
  return wrong;
}
