import type pg from 'pg';
import { DomainError } from '../../domain/errors.ts';
import { lockAllNames } from '../routes/name-lock.ts';
import type { OutboxEntry } from '../outbox.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { refuseCycles, refuseRepeats, refuseTakenNames, refuseUnknownMasters } from './check-import.ts';
import { columnNames } from '../columns.ts';
import { lockMerges } from './lock-entities.ts';
import { PROFILE_COLUMNS } from './profile-columns.ts';
import type { EntityImport } from './stage-import.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';

export interface EntityImportCounts {
  created: number;
  updated: number;
}

export interface AppliedImport extends EntityImportCounts {
  outbox: OutboxEntry[];
}

/** A million rows take minutes; the usual statement timeout is for requests. */
const STATEMENT_LIMIT = '15min';
/** Each step doubles the distance followed: enough for a chain of all rows that a file may have. */
const MAX_STEPS = 21;

/**
 * Applies the staged rows of an import: all of them or, with a single fault, none. Rows of entities that are tenants
 * are left out. Messages that wait for one of the names, new or former, are routed again. Throws csv_invalid, conflict.
 */
export async function applyImport(tx: pg.PoolClient, staged: EntityImport): Promise<AppliedImport> {
  await tx.query(`set local statement_timeout = '${STATEMENT_LIMIT}'`);
  const counts = await writeStaged(tx, staged, staged.begunAt).catch(refuseParallelImport);
  await noteNames(tx);
  // Last, since nobody can name a tenant or entity while this lock is held. A message that was marked as unrouted
  // before is woken below; one whose VASP is not found meanwhile is routed again when this has ended.
  await lockAllNames(tx);
  await refuseTakenNames(tx, staged.id);
  // By the clock as it is now: the file may have taken long to arrive, and what waits is not to be screened since before.
  return { ...counts, outbox: await wakeChanged(tx, new Date()) };
}

function refuseParallelImport(error: unknown): never {
  if (uniqueViolation(error) !== 'entities_source') throw error;
  throw new DomainError('conflict', 'Another import of the same entities ran at the same time.');
}

/**
 * Writes the staged rows without checking tenant names or waking messages. `editedAt` marks entities of the bundled
 * directory as edited by an operator.
 */
export async function writeStaged(
  tx: pg.PoolClient,
  { id, begunAt }: EntityImport,
  editedAt: Date | null,
): Promise<EntityImportCounts> {
  await tx.query('analyze entity_import_rows, entity_import_names');
  await findKnown(tx, id);
  await refuseRepeats(tx, id);
  await leaveOutTenants(tx, id);
  await findMasters(tx, id);
  await keepMasters(tx, id);
  await refuseUnknownMasters(tx, id);
  await followStagedMasters(tx, id);
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

/** Whoever deletes one of the masters has done so before they are looked for, or finds it needed. */
async function keepMasters(tx: Queryable, id: string): Promise<void> {
  await tx.query(
    `select 1 from entities where id in (select master_entity_id from entity_import_rows where import_id = $1)
     order by id for key share`,
    [id],
  );
}

/**
 * Gives the staged rows their final masters, as they will be stored: a file that was imported before names the same ones again. A
 * circle never ends; it is found when it is stored.
 */
async function followStagedMasters(tx: Queryable, id: string): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { rowCount } = await tx.query(
      `update entity_import_rows s set master_entity_id = f.master_entity_id
       from (
         select d.row, coalesce(m.master_entity_id, e.master_entity_id) as master_entity_id
         from entity_import_rows d
           left join entity_import_rows m on m.import_id = $1 and m.entity_id = d.master_entity_id
           left join entities e on e.id = d.master_entity_id
         where d.import_id = $1 and d.master_entity_id is not null
       ) f
       where s.import_id = $1 and s.row = f.row and f.master_entity_id <> s.entity_id`,
      [id],
    );
    if (!rowCount) return;
  }
}

/** An estimated risk never replaces an assessed one; a row without a master keeps an earlier merge. */
const KEPT = `
  risk_score = case when excluded.risk_assessed_at is null and e.risk_assessed_at is not null
    then e.risk_score else excluded.risk_score end,
  risk_severity = case when excluded.risk_assessed_at is null and e.risk_assessed_at is not null
    then e.risk_severity else excluded.risk_severity end,
  risk_assessed_at = coalesce(excluded.risk_assessed_at, e.risk_assessed_at),
  master_entity_id = coalesce(excluded.master_entity_id, e.master_entity_id)`;
/**
 * Unchanged entities are not written, so that importing the same file again is cheap. Nor are those of which a tenant was made
 * since they were looked for: whoever did has held the row until now.
 */
const UPSERT = `
  insert into entities as e (id, ${columnNames(PROFILE_COLUMNS)}, risk_score, risk_severity, risk_assessed_at, master_entity_id,
    source, source_id, created_at, updated_at)
  select entity_id, ${columnNames(PROFILE_COLUMNS)}, risk_score, risk_severity, risk_assessed_at, master_entity_id,
    source, source_id, $2, $2
  from entity_import_rows where import_id = $1
  on conflict (id) do update set ${PROFILE_COLUMNS.map(({ name }) => `${name} = excluded.${name}`).join(', ')}, ${KEPT},
    edited_at = coalesce($3, e.edited_at), updated_at = excluded.updated_at
  where not e.in_network and ((${PROFILE_COLUMNS.map(({ name }) => `e.${name}`).join(', ')})
      is distinct from (${PROFILE_COLUMNS.map(({ name }) => `excluded.${name}`).join(', ')})
    or ((excluded.risk_assessed_at is not null or e.risk_assessed_at is null)
      and (e.risk_score, e.risk_severity) is distinct from (excluded.risk_score, excluded.risk_severity))
    or (excluded.master_entity_id is not null and excluded.master_entity_id is distinct from e.master_entity_id))
  returning e.id, (e.xmax = 0) as is_new`;

async function upsert(
  tx: Queryable,
  id: string,
  now: Date,
  editedAt: Date | null,
): Promise<EntityImportCounts> {
  await tx.query(`
    create temporary table changed_entities (id uuid, is_new boolean) on commit drop;
    create temporary table changed_names (folded text) on commit drop;
    create temporary table former_masters (id uuid) on commit drop`);
  // A row without a master keeps the one before.
  await tx.query(
    `insert into former_masters select distinct e.master_entity_id from entity_import_rows s join entities e on e.id = s.entity_id
     where s.import_id = $1 and s.master_entity_id <> e.master_entity_id`,
    [id],
  );
  const { rows } = await tx.query<EntityImportCounts>(
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
    `with former as (
       delete from entity_names n using changed_entities c where n.entity_id = c.id and not c.is_new
       returning n.folded, n.kind
     )
     insert into changed_names select folded from former where kind <> 'LEGAL'`,
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

/**
 * Makes every duplicate point directly to its final master. A cycle never ends; refuseCycles finds what is left of
 * it.
 */
async function followMasters(tx: Queryable): Promise<void> {
  await lockMerges(tx);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { rowCount } = await tx.query(
      `with followed as (
         update entities e set master_entity_id = m.master_entity_id from entities m
         where e.master_entity_id = m.id and m.master_entity_id is not null and m.master_entity_id <> e.id
         returning e.id
       )
       insert into changed_entities select id, false from followed`,
    );
    if (!rowCount) return;
  }
}

/**
 * Notes the names that lead to the changed entities now, beside those that did: theirs and those of their duplicates. A master whose
 * duplicates are others than before has changed, too: rules may name it by one of them.
 */
export async function noteNames(tx: Queryable): Promise<void> {
  await tx.query(
    `insert into changed_entities
     select id, false from former_masters
     union
     select e.master_entity_id, false from changed_entities c join entities e on e.id = c.id where e.master_entity_id is not null`,
  );
  await tx.query(
    `insert into changed_names
     select n.folded from changed_entities c join entity_names n on n.entity_id = c.id where n.kind <> 'LEGAL'
     union
     select n.folded from changed_entities c join entities d on d.master_entity_id = c.id
       join entity_names n on n.entity_id = d.id where n.kind <> 'LEGAL'`,
  );
  await tx.query('analyze changed_entities, changed_names');
}

/** Lets messages be routed and decided again that wait for the noted names or on the changed entities. */
export async function wakeChanged(tx: Queryable, now: Date): Promise<OutboxEntry[]> {
  const route = {
    entitiesSql: 'select id from changed_entities',
    vaspsSql: 'select folded from changed_names',
  };
  return await wakeUnrouted(tx, route, now);
}
