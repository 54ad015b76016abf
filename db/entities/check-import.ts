import { importRefused } from '../../domain/entities/import-row.ts';
import { MAX_ROW_FAULTS, type RowFault } from '../../domain/row-fault.ts';
import type { Queryable } from '../postgres.ts';

interface ImportCheck {
  field: string;
  code: string;
  message: string;
  /** Finds faulty rows of the import $1. */
  sql: string;
}

/** Finds two rows of one entity, by key or by id, after known entities were given their ids. */
const REPEATS: ImportCheck[] = [
  {
    field: 'sourceId',
    code: 'duplicate',
    message: 'An earlier row has the same source and sourceId (without a sourceId: the same name).',
    sql: `select row from (
        select row, row_number() over (partition by source, source_id order by row) as place
        from entity_import_rows where import_id = $1) numbered where place > 1`,
  },
  {
    field: 'id',
    code: 'duplicate',
    message: 'An earlier row is the same entity.',
    sql: `select row from (
        select row, row_number() over (partition by entity_id order by row) as place
        from entity_import_rows where import_id = $1) numbered where place > 1`,
  },
  {
    field: 'sourceId',
    code: 'key_taken',
    message: 'Another entity has this source and sourceId.',
    sql: `select s.row from entity_import_rows s
        join entities e on e.source = s.source and e.source_id = s.source_id and e.id <> s.entity_id
      where s.import_id = $1 and not exists (select from entities known where known.id = s.entity_id)`,
  },
];

const MASTERS: ImportCheck[] = [
  {
    field: 'masterSourceId',
    code: 'unknown_entity',
    message: 'The master is neither in the file nor in the directory.',
    sql: `select s.row from entity_import_rows s
      where s.import_id = $1 and s.master_source_id is not null
        and not exists (select from entities e where e.id = s.master_entity_id)
        and not exists (
          select from entity_import_rows m where m.import_id = $1 and m.entity_id = s.master_entity_id)`,
  },
  {
    field: 'masterEntityId',
    code: 'unknown_entity',
    message: 'The master is neither in the file nor in the directory.',
    sql: `select s.row from entity_import_rows s
      where s.import_id = $1 and s.given_master_id is not null
        and not exists (select from entities e where e.id = s.given_master_id)
        and not exists (
          select from entity_import_rows m where m.import_id = $1 and m.entity_id = s.given_master_id)`,
  },
  {
    field: 'masterEntityId',
    code: 'master_cycle',
    message: 'The entity is named as its own master.',
    sql: `select row from entity_import_rows where import_id = $1 and master_entity_id = entity_id`,
  },
];

const CYCLES: ImportCheck[] = [
  {
    field: 'masterEntityId',
    code: 'master_cycle',
    message: 'The masters lead in a circle.',
    sql: `select s.row from entity_import_rows s
        join entities e on e.id = s.entity_id join entities m on m.id = e.master_entity_id
      where s.import_id = $1 and m.master_entity_id is not null`,
  },
];

const TENANT_NAMES: ImportCheck[] = [
  {
    field: 'name',
    code: 'name_taken',
    message: 'A tenant has this name or alias.',
    sql: `select distinct s.row
      from entities t
        join entity_names n on n.entity_id = t.id and n.kind <> 'LEGAL'
        join entity_names m on m.folded = n.folded and m.kind <> 'LEGAL' and m.entity_id <> n.entity_id
        join entities o on o.id = m.entity_id
        join entity_import_rows s on s.import_id = $1 and s.entity_id = o.id
      where t.in_network and coalesce(o.master_entity_id, o.id) <> t.id`,
  },
];

export const refuseRepeats = checker(REPEATS);
/** Call it after the masters were locked, so that none is deleted meanwhile. */
export const refuseUnknownMasters = checker(MASTERS);
/** Call it after every duplicate points to its final master. */
export const refuseCycles = checker(CYCLES);
/** Call it under the lock of all names, so that no tenant takes a name meanwhile. */
export const refuseTakenNames = checker(TENANT_NAMES);

/** Makes a function that runs these checks and throws csv_invalid with the first 1,000 faulty rows. */
function checker(checks: ImportCheck[]): (tx: Queryable, importId: string) => Promise<void> {
  return async (tx, importId) => {
    const faults: RowFault[] = [];
    for (const { sql, field, code, message } of checks) {
      const { rows } = await tx.query<{ row: number }>(
        `select row from (${sql}) faulty order by row limit ${MAX_ROW_FAULTS}`,
        [importId],
      );
      faults.push(...rows.map(({ row }) => ({ row, field, code, message })));
    }
    if (faults.length > 0) throw importRefused(faults.sort((a, b) => (a.row ?? 0) - (b.row ?? 0)));
  };
}
