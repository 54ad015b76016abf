import { arrayParameter, insertSql, unnestRows, unnestValues } from '../columns.ts';
import type { Queryable } from '../postgres.ts';
import type { RecordTable, SealedRecord } from '../records/record-table.ts';
import { deltasSql } from './deltas.ts';
import { countedColumns, type StatisticsMeasure } from './measures.ts';

/** Writes the rows of records, and with them how they change the statistics. */
interface RecordRows<R, D> {
  /** SQL: CTEs that store new rows, `written`; the parameters are the columns of the table. */
  inserted: string;
  /**
   * SQL: CTEs that change locked rows, `written`; the parameters are the columns that an update writes. They compare and set
   * the version: a record that was changed without its lock is not among `written`.
   */
  updated: string;
  insert: (tx: Queryable, rows: readonly SealedRecord<R, D>[]) => Promise<void>;
  /** Throws when a record was changed without its lock. */
  update: (tx: Queryable, rows: readonly SealedRecord<R, D>[]) => Promise<void>;
}

/** How the records of one table are written and counted. */
export function recordRows<R extends object, D>(
  name: string,
  table: RecordTable<R, D>,
  measure: StatisticsMeasure,
): RecordRows<R, D> {
  const { columns, updateColumns, setList } = table;
  const inserted = `
    written as (${insertSql(name, columns)} returning ${countedColumns(measure)}),
    counted as (${deltasSql(measure, { added: 'written' })})`;
  // The records are locked, so what `before` finds is what `written` changes.
  const updated = `
    before as materialized (
      select ${countedColumns(measure)} from ${name}
      where id = any(${arrayParameter(updateColumns, 'id')}) and tenant_id = any(${arrayParameter(updateColumns, 'tenant_id')})
    ), written as (
      update ${name} t set ${setList} from ${unnestRows(updateColumns)}
      where t.id = r.id and t.tenant_id = r.tenant_id and t.version = r.version - 1
      returning ${countedColumns(measure, 't')}
    ), counted as (${deltasSql(measure, { added: 'written', removed: 'before' })})`;
  const run = async (tx: Queryable, statement: string, sql: string, values: unknown[]): Promise<number> => {
    const text = `with ${sql} select count(*)::int as count from written`;
    const { rows } = await tx.query<{ count: number }>({ name: `${statement}-${name}`, text, values });
    return rows[0]?.count ?? 0;
  };
  return {
    inserted,
    updated,
    async insert(tx, rows) {
      if (rows.length > 0) await run(tx, 'insert', inserted, unnestValues(columns, rows));
    },
    async update(tx, rows) {
      if (rows.length === 0) return;
      const count = await run(tx, 'update', updated, unnestValues(updateColumns, rows));
      if (count !== rows.length) throw new Error(`a record of ${name} was changed without its lock`);
    },
  };
}
