import type { Knex } from 'knex';
import type pg from 'pg';
import type { Database } from './database.ts';
import { rowsInSnapshot } from './postgres.ts';
import { sql, statementOf, whereGiven } from './query-builder.ts';

/** Which rows an export reads: of one tenant, narrowed by what is given. */
interface ExportedRows {
  table: string;
  columns: string;
  tenantId: string;
  /** SQL conditions with one `?` each, whose value is given. */
  where: Readonly<Record<string, Knex.RawBinding | undefined>>;
  /** SQL: further conditions. */
  always?: readonly string[];
  orderBy: string;
  batch: number;
}

/** Reads rows in batches, all from one state of the database, with the memory of one batch. */
export async function* exportedRows<R extends pg.QueryResultRow>(
  { pool }: Database,
  { table, columns, tenantId, where, always = [], orderBy, batch }: ExportedRows,
): AsyncGenerator<R[]> {
  const rows = sql(table).select(sql.raw(columns)).where('tenant_id', tenantId).orderByRaw(orderBy);
  for (const condition of always) rows.whereRaw(condition);
  whereGiven(rows, where);
  yield* rowsInSnapshot<R>(pool, statementOf(rows), batch);
}
