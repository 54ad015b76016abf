import type { Queryable } from '../postgres.ts';
import { entityRoute, lockRoutes, vaspRoute } from './route-lock.ts';

/** An entity with more names, its duplicates' included, locks the names of all. */
const MANY_NAMES = 64;

/**
 * Locks folded names that a tenant or entity gets, has or loses, and entities whose data changes, until the end of the
 * transaction: nobody else gives or takes the names meanwhile, no message is marked as one whose VASP of this name was not
 * found, and no transfer is stored as waiting under a rule that has read the data. Call it before the names are checked;
 * after the rows of entities (`lockEntities`), and for more than 64 before any other lock of a route.
 */
export async function lockNames(
  tx: Queryable,
  vaspsFolded: readonly string[],
  entityIds: readonly string[] = [],
): Promise<void> {
  if (vaspsFolded.length > MANY_NAMES) {
    await lockAllNames(tx);
    return;
  }
  await tx.query(`select pg_advisory_xact_lock_shared(${VASP_NAMES})`);
  await lockRoutes(tx, [...entityIds.map(entityRoute), ...vaspsFolded.map(vaspRoute)]);
}

/**
 * Locks all names for an import of the directory, until the end of the transaction: keep what follows short. Deliveries
 * go on; whoever gives a name to a tenant or entity waits.
 */
export async function lockAllNames(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${VASP_NAMES})`);
}

/**
 * Keeps imports of the directory from changing names until the end of the transaction. False, without waiting, while one
 * of them has locked all names or is about to.
 */
export async function keepNames(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ is_kept: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${VASP_NAMES}) as is_kept`,
  );
  return rows[0]?.is_kept ?? false;
}

const VASP_NAMES = `hashtextextended('VASP names', 0)`;
