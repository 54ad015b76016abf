import { z } from 'zod';
import { requireSettings, withSettings, type Settings } from '../process/settings.ts';
import { openPool } from '../db/postgres.ts';
import { DeploymentMismatch } from '../db/vault/master-key.ts';
import { openVault } from '../db/vault/vault.ts';
import type { Database } from '../db/database.ts';
import { anchorTransactions } from '../db/transactions/anchor-heads.ts';
import { anchorVerifications } from '../db/verifications/anchor-heads.ts';
import { checkLogs } from './check-logs.ts';

const LIMITS = `Not found: a log that was put back as a whole, with head and anchor, to an earlier state of a day that is not sealed
yet, which holds for audit logs too; an audit entry that was removed in the minute before it was chained, or a count of an hour
that was not over; a record that was removed with its log before its day was sealed; seals that were removed from the end and made anew
(compare the latest seal with the one that a tenant has kept); a tenant that was removed with its records, logs and seals;
and what the columns of a record say beside its status, its deletion and, once a message was sent, asset, amount and
destination with their tags and types.`;
const ANCHOR = '--anchor';

/**
 * `npm run verify-events [-- <id of a transaction, verification or claim>]`: exit code 0 when every event log is whole and fits the
 * daily seals, and the audit logs too, otherwise 1 and the ids. For one record these are not looked at. `-- --anchor` first anchors, as they
 * are, the heads that have no anchor: once, after the upgrade of a deployment that is older than anchors.
 */
await withSettings(async (given) => {
  const settings = requireSettings(given, ['DATABASE_URL', 'MASTER_KEY']);
  const argument = process.argv[2];
  if (argument !== undefined && argument !== ANCHOR && !z.uuid().safeParse(argument).success) {
    console.error(`An id of a transaction, verification or claim is expected, or ${ANCHOR}.`);
    process.exitCode = 1;
    return;
  }
  try {
    const faults = await verify(settings, argument);
    process.exitCode = faults === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof DeploymentMismatch)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
});

async function verify(
  settings: Settings & { DATABASE_URL: string; MASTER_KEY: string },
  argument: string | undefined,
): Promise<number> {
  const pool = openPool(settings.DATABASE_OWNER_URL ?? settings.DATABASE_URL, 2, () => undefined);
  try {
    const vault = await openVault({
      pool,
      masterKey: settings.MASTER_KEY,
      previousMasterKey: settings.MASTER_KEY_PREVIOUS,
      environment: settings.ENVIRONMENT,
    });
    const only = argument === ANCHOR ? undefined : argument;
    if (argument === ANCHOR) await anchorHeads({ pool, vault });
    const faults = await checkLogs({ pool, vault }, only);
    console.log(LIMITS);
    return faults;
  } finally {
    await pool.end();
  }
}

async function anchorHeads(db: Pick<Database, 'pool' | 'vault'>): Promise<void> {
  const transactions = await anchorTransactions(db);
  const verifications = await anchorVerifications(db);
  console.log(`${transactions + verifications} heads of event logs had no anchor and have one now.`);
}
