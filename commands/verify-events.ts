import { requireSettings, withSettings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { verifyEvents } from '../db/events/verify-events.ts';

/**
 * `npm run verify-events [-- <transaction or verification id>]`: exit code 0 when every chain is intact, otherwise 1
 * and the ids.
 */
await withSettings(async (settings) => {
  const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL']);
  const pool = openPool(DATABASE_URL, 2, () => undefined);
  try {
    const { checked, faults } = await verifyEvents(pool, process.argv[2], (done) => {
      if (done % 10_000 === 0) console.log(`${done} chains checked …`);
    });
    for (const { id, fault } of faults) console.log(`${id}: ${fault}`);
    console.log(`${checked} event chains checked, ${faults.length} broken.`);
    process.exitCode = faults.length === 0 ? 0 : 1;
  } finally {
    await pool.end();
  }
});
