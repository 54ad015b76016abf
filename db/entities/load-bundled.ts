import { createHash } from 'node:crypto';
import type pg from 'pg';
import { riskOfType } from '../../domain/aml/type-risk.ts';
import { FATF } from '../../domain/entities/jurisdictions.ts';
import { readBundled } from '../../domain/entities/read-bundled.ts';
import { ENTITY_TYPES } from '../../domain/entity-types.ts';
import { type Database } from '../database.ts';
import { lockAllNames } from '../routes/name-lock.ts';
import { newId } from '../new-id.ts';
import { noteNames, wakeChanged, writeStaged, type EntityImportCounts } from './apply-import.ts';
import { lockEntities, lockMerges } from './lock-entities.ts';
import { estimateRisksAgain } from './estimate-risks.ts';
import { removeStaged, requireStaged, stageRows, type EntityImport } from './stage-import.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/**
 * Updates the directory to the bundled version, once per version, list of jurisdictions and scale of risks. Entities that
 * an operator edited and names that belong to tenants stay; estimated risks are estimated again. The relay notifies the
 * workflows of transfers that a rule lets wait on what has changed. Null when nothing had to be done.
 */
export async function loadBundledEntities(db: Database, now: Date): Promise<EntityImportCounts | null> {
  const { default: bundled } = await import('../../data/entities/actors.json', {
    with: { type: 'json' },
  });
  const digest = createHash('sha256')
    .update(JSON.stringify([bundled.rows, FATF, ENTITY_TYPES.map(riskOfType)]))
    .digest('hex');
  if (await isLoaded(db.pool, digest)) return null;
  const staged: EntityImport = { id: newId(now), begunAt: now };
  try {
    const entities = readBundled(bundled.rows);
    await stageRows(db, staged, entities);
    return await inTransaction(db.pool, async (tx) => {
      await requireStaged(tx, staged, entities.length);
      return await load(tx, staged, digest);
    });
  } finally {
    await removeStaged(db.pool, staged);
  }
}

async function isLoaded(db: Queryable, digest: string): Promise<boolean> {
  const { rows } = await db.query('select from entity_bundles where digest = $1', [digest]);
  return rows.length > 0;
}

async function load(
  tx: pg.PoolClient,
  staged: EntityImport,
  digest: string,
): Promise<EntityImportCounts | null> {
  // API and worker start together: the second one finds the directory loaded. First, since names of tenants are left out.
  await lockStaged(tx, staged.id);
  await lockMerges(tx);
  await lockAllNames(tx);
  if (await isLoaded(tx, digest)) return null;
  await leaveOut(tx, staged.id);
  const counts = await writeStaged(tx, staged, null);
  counts.updated += await estimateRisksAgain(tx, staged.begunAt);
  await noteNames(tx);
  await wakeChanged(tx, new Date());
  await tx.query('insert into entity_bundles (digest, loaded_at) values ($1, $2)', [digest, staged.begunAt]);
  return counts;
}

/** Locks the entities that the staged rows may change. */
async function lockStaged(tx: Queryable, id: string): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `select e.id from entities e join entity_import_rows s on e.source = s.source and e.source_id = s.source_id
     where s.import_id = $1`,
    [id],
  );
  await lockEntities(
    tx,
    rows.map((row) => row.id),
  );
}

/**
 * Removes staged rows of entities that an operator edited, rows with the name of a tenant, and the duplicates of
 * both.
 */
async function leaveOut(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `with left_out as (
       delete from entity_import_rows s where import_id = $1 and (
         exists (select from entities e where e.source = s.source and e.source_id = s.source_id
                 and e.edited_at is not null)
         or exists (select from entity_import_names m
             join entity_names n on n.folded = m.folded and n.kind <> 'LEGAL'
             join entities o on o.id = n.entity_id
             join entities t on t.id = coalesce(o.master_entity_id, o.id)
           where m.import_id = $1 and m.row = s.row and m.kind <> 'LEGAL' and t.in_network
             and not (o.source = s.source and o.source_id is not distinct from s.source_id)))
       returning source_id
     )
     delete from entity_import_rows s using left_out l
     where s.import_id = $1 and s.master_source_id = l.source_id
       and not exists (select from entities e where e.source = s.source and e.source_id = l.source_id)`,
    [id],
  );
}
