import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import { type Database } from '../database.ts';
import { lockAllRoutes } from '../routes/route-lock.ts';
import { type Poke, insertPokes } from '../outbox.ts';
import { lifecyclePoke } from '../transactions/poke.ts';
import { refuseCycles, refuseRepeats, refuseTakenNames, refuseUnknownMasters } from './check-import.ts';
import { columnNames } from '../columns.ts';
import { PROFILE_COLUMNS } from './profile-columns.ts';
import type { Import } from './stage-import.ts';
import { inTransaction, uniqueViolation, type Queryable } from '../postgres.ts';

export interface ImportCounts {
  created: number;
  updated: number;
}

export interface AppliedImport extends ImportCounts {
  pokes: Poke[];
}

/** A million rows take minutes, and a request's limit is for requests. */
const STATEMENT_LIMIT = '15min';
/** Twice as far with each step: enough for a chain of all rows that a file may have. */
const MAX_STEPS = 21;

/**
 * Takes over what was put aside: all of it or, with one fault, nothing. Rows whose entity is a tenant are left out.
 * Messages that wait for one of the names are routed again. Throws csv_invalid, conflict.
 */
export async function applyImport({ pool }: Database, place: Import): Promise<AppliedImport> {
  return await inTransaction(pool, async (tx) => {
    await tx.query(`set local statement_timeout = '${STATEMENT_LIMIT}'`);
    const counts = await writeStaged(tx, place, place.begunAt);
    // Last, since nobody delivers anything while it is held.
    await lockAllRoutes(tx);
    await refuseTakenNames(tx, place.id);
    return { ...counts, pokes: await wakeStaged(tx, place) };
  }).catch(refuseTwin);
}

function refuseTwin(error: unknown): never {
  if (uniqueViolation(error) !== 'entities_source') throw error;
  throw new DomainError('conflict', 'Another import of the same entities ran at the same time.');
}

/** Everything but the look at tenants and waiting messages. `editedAt` marks entities of the bundled directory as changed. */
export async function writeStaged(
  tx: pg.PoolClient,
  { id, begunAt }: Import,
  editedAt: Date | null,
): Promise<ImportCounts> {
  await tx.query('analyze entity_import_rows, entity_import_names');
  await findKnown(tx, id);
  await refuseRepeats(tx, id);
  await leaveOutTenants(tx, id);
  await findMasters(tx, id);
  await refuseUnknownMasters(tx, id);
  const counts = await upsert(tx, id, begunAt, editedAt);
  await replaceNames(tx, id);
  await followMasters(tx);
  await refuseCycles(tx, id);
  return counts;
}

async function findKnown(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `update entity_import_rows s set entity_id = e.id from entities e
     where s.import_id = $1 and s.given_id is null and e.source = s.source and e.source_id = s.source_id`,
    [id],
  );
}

async function leaveOutTenants(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `delete from entity_import_rows s using entities e
     where s.import_id = $1 and e.id = s.entity_id and e.in_network`,
    [id],
  );
}

async function findMasters(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `update entity_import_rows set master_entity_id = given_master_id
     where import_id = $1 and given_master_id is not null`,
    [id],
  );
  await tx.query(
    `update entity_import_rows s set master_entity_id = m.entity_id from entity_import_rows m
     where s.import_id = $1 and s.master_source_id is not null
       and m.import_id = $1 and m.source = s.source and m.source_id = s.master_source_id`,
    [id],
  );
  await tx.query(
    `update entity_import_rows s set master_entity_id = e.id from entities e
     where s.import_id = $1 and s.master_source_id is not null and s.master_entity_id is null
       and e.source = s.source and e.source_id = s.master_source_id`,
    [id],
  );
}

/** An estimate never takes the place of an assessment; a file without a master leaves a merge as it is. */
const KEPT = `
  risk_score = case when excluded.risk_assessed_at is null and e.risk_assessed_at is not null
    then e.risk_score else excluded.risk_score end,
  risk_severity = case when excluded.risk_assessed_at is null and e.risk_assessed_at is not null
    then e.risk_severity else excluded.risk_severity end,
  risk_assessed_at = coalesce(excluded.risk_assessed_at, e.risk_assessed_at),
  master_entity_id = coalesce(excluded.master_entity_id, e.master_entity_id)`;
/** Entities that stay as they are are not written, so that the same file again costs little. */
const UPSERT = `
  insert into entities as e (id, ${columnNames(PROFILE_COLUMNS)}, risk_score, risk_severity, risk_assessed_at, master_entity_id,
    source, source_id, created_at, updated_at)
  select entity_id, ${columnNames(PROFILE_COLUMNS)}, risk_score, risk_severity, risk_assessed_at, master_entity_id,
    source, source_id, $2, $2
  from entity_import_rows where import_id = $1
  on conflict (id) do update set ${PROFILE_COLUMNS.map(({ name }) => `${name} = excluded.${name}`).join(', ')}, ${KEPT},
    edited_at = coalesce($3, e.edited_at), updated_at = excluded.updated_at
  where (${PROFILE_COLUMNS.map(({ name }) => `e.${name}`).join(', ')})
      is distinct from (${PROFILE_COLUMNS.map(({ name }) => `excluded.${name}`).join(', ')})
    or ((excluded.risk_assessed_at is not null or e.risk_assessed_at is null)
      and (e.risk_score, e.risk_severity) is distinct from (excluded.risk_score, excluded.risk_severity))
    or (excluded.master_entity_id is not null and excluded.master_entity_id is distinct from e.master_entity_id)
  returning e.id, (e.xmax = 0) as is_new`;

async function upsert(tx: Queryable, id: string, now: Date, editedAt: Date | null): Promise<ImportCounts> {
  await tx.query('create temporary table changed_entities (id uuid, is_new boolean) on commit drop');
  const { rows } = await tx.query<ImportCounts>(
    `with written as (${UPSERT}), noted as (
       insert into changed_entities select id, is_new from written returning is_new
     )
     select count(*) filter (where is_new) as created, count(*) filter (where not is_new) as updated from noted`,
    [id, now, editedAt],
  );
  return rows[0] ?? { created: 0, updated: 0 };
}

async function replaceNames(tx: Queryable, id: string): Promise<void> {
  await tx.query('analyze changed_entities');
  await tx.query(
    `delete from entity_names n using changed_entities c where n.entity_id = c.id and not c.is_new`,
  );
  await tx.query(
    `insert into entity_names (entity_id, kind, folded, words)
     select s.entity_id, n.kind, n.folded, n.words
     from changed_entities c
       join entity_import_rows s on s.entity_id = c.id and s.import_id = $1
       join entity_import_names n on n.import_id = $1 and n.row = s.row`,
    [id],
  );
}

/** One step leads from every duplicate to its master. A circle never ends; it is told from what is left. */
async function followMasters(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('entity masters', 0))`);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { rowCount } = await tx.query(
      `update entities e set master_entity_id = m.master_entity_id from entities m
       where e.master_entity_id = m.id and m.master_entity_id is not null and m.master_entity_id <> e.id`,
    );
    if (!rowCount) return;
  }
}

async function wakeStaged(tx: Queryable, { begunAt }: Import): Promise<Poke[]> {
  const { rows } = await tx.query<{ id: string; tenant_id: string; asset: string }>(
    `update transactions set wake_at = $1
     where sub_status = 'VASP_NOT_FOUND' and status = 'PENDING' and deleted_at is null
       and beneficiary_vasp_folded in (
         select n.folded from changed_entities c join entity_names n on n.entity_id = c.id where n.kind <> 'LEGAL')
     returning id, tenant_id, asset`,
    [begunAt],
  );
  const pokes = rows.map((row) => lifecyclePoke({ id: row.id, tenantId: row.tenant_id, asset: row.asset }));
  return await insertPokes(tx, pokes, begunAt);
}
