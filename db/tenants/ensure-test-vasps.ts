import type pg from 'pg';
import { foldName } from '../../domain/fold.ts';
import { TEST_VASPS, type TestVasp } from '../../domain/tenants/test-vasps.ts';
import { type Database } from '../database.ts';
import { findNamedEntity } from '../entities/find-named-entity.ts';
import { lockRoutes, vaspRoute } from '../routes/route-lock.ts';
import { makeTenant } from './create-tenant.ts';
import { inTransaction } from '../postgres.ts';

/**
 * Makes the test VASPs of a sandbox that are missing. A name that a tenant of an operator or an entity has is left to it:
 * such names are returned. Messages that wait for a test VASP are routed by the relay.
 */
export async function ensureTestVasps(db: Database, now: Date): Promise<string[]> {
  const taken: string[] = [];
  for (const vasp of TEST_VASPS) {
    const isThere = await inTransaction(db.pool, async (tx) => await ensureTestVasp(db, tx, vasp, now));
    if (!isThere) taken.push(vasp.name);
  }
  return taken;
}

async function ensureTestVasp(
  db: Database,
  tx: pg.PoolClient,
  { name, behaviour }: TestVasp,
  now: Date,
): Promise<boolean> {
  // Api and worker start together; whoever makes or renames a tenant takes this lock.
  await lockRoutes(tx, [vaspRoute(foldName(name))]);
  const { rows } = await tx.query<{ test_behaviour: string | null }>(
    'select test_behaviour from tenants where test_behaviour = $1 or name_folded = $2',
    [behaviour, foldName(name)],
  );
  if (rows.length > 0) return rows.some((row) => row.test_behaviour === behaviour);
  if ((await findNamedEntity(tx, foldName(name))) !== null) return false;
  await makeTenant(db, tx, { body: { name }, testBehaviour: behaviour, now });
  return true;
}
