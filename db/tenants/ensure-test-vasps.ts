import type pg from 'pg';
import { foldName } from '../../domain/fold.ts';
import { TEST_VASPS, type TestVasp } from '../../domain/tenants/test-vasps.ts';
import { type Database } from '../database.ts';
import { findNamedEntity } from '../entities/find-named-entity.ts';
import { lockNames } from '../routes/name-lock.ts';
import { makeTenant } from './create-tenant.ts';
import { inTransaction } from '../postgres.ts';

/**
 * Creates the missing test VASPs of a sandbox. Returns the names that were skipped because another tenant or entity
 * has them. The relay routes the messages that wait for a test VASP.
 */
export async function ensureTestVasps(db: Database, now: Date): Promise<string[]> {
  const taken: string[] = [];
  for (const vasp of TEST_VASPS) {
    const exists = await inTransaction(db.pool, async (tx) => await ensureTestVasp(db, tx, vasp, now));
    if (!exists) taken.push(vasp.name);
  }
  return taken;
}

async function ensureTestVasp(
  db: Database,
  tx: pg.PoolClient,
  { name, behaviour }: TestVasp,
  now: Date,
): Promise<boolean> {
  // API and worker start together; everything that creates or renames a tenant takes this lock.
  await lockNames(tx, [foldName(name)]);
  const { rows } = await tx.query<{ test_behaviour: string | null }>(
    'select test_behaviour from tenants where test_behaviour = $1 or name_folded = $2',
    [behaviour, foldName(name)],
  );
  if (rows.length > 0) return rows.some((row) => row.test_behaviour === behaviour);
  if ((await findNamedEntity(tx, foldName(name))) !== null) return false;
  await makeTenant(db, tx, { body: { name }, testBehaviour: behaviour, now });
  return true;
}
