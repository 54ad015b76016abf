import { requireSettings, withSettings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { markForRecount, recountNext } from '../db/statistics/recount.ts';

/** `npm run recount-statistics`: counts the records of all tenants anew, while api and worker go on. */
await withSettings(async (settings) => {
  const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL']);
  const pool = openPool(DATABASE_URL, 2, () => undefined);
  try {
    await markForRecount(pool);
    while (await recountNext(pool));
    console.log('The statistics of all tenants are counted anew.');
  } finally {
    await pool.end();
  }
});
