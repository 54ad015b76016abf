import type { Knex } from 'knex';

/** An index on a table that may be large. */
export interface OnlineIndex {
  name: string;
  /** SQL from `on` on. */
  definition: string;
  /** Column that the index needs and the version before does not have. */
  column?: { table: string; name: string; type: string };
}

/**
 * Builds the indexes of pending migrations while api and worker go on reading and writing; the migration finds them there.
 * Must not run in a transaction. What a killed process left half built is built again. A new database has no tables yet:
 * there the migration builds them itself.
 */
export async function buildOnline(db: Knex, indexes: readonly OnlineIndex[]): Promise<void> {
  for (const index of indexes) {
    const { name, definition, column } = index;
    if (!(await hasTable(db, definition))) continue;
    if (column) await db.raw(`alter table ${column.table} add column if not exists ${columnSql(column)}`);
    const state = await stateOf(db, name);
    if (state === 'VALID') continue;
    if (state === 'INVALID') await db.raw(`drop index concurrently ${name}`);
    await db.raw(`create index concurrently ${name} ${definition}`);
  }
}

/** SQL for a migration: the indexes, unless they were built online. */
export function indexesSql(indexes: readonly OnlineIndex[]): string {
  return indexes.map(indexSql).join('');
}

function indexSql({ name, definition, column }: OnlineIndex): string {
  const added = column ? `alter table ${column.table} add column if not exists ${columnSql(column)};` : '';
  return `${added} create index if not exists ${name} ${definition};`;
}

function columnSql({ name, type }: { name: string; type: string }): string {
  return `${name} ${type}`;
}

async function hasTable(db: Knex, definition: string): Promise<boolean> {
  const [, table] = /^on (\w+) /.exec(definition) ?? [];
  const { rows } = await db.raw<{ rows: { found: boolean }[] }>(
    'select to_regclass(?) is not null as found',
    [table ?? null],
  );
  return rows[0]?.found ?? false;
}

async function stateOf(db: Knex, name: string): Promise<'VALID' | 'INVALID' | null> {
  const { rows } = await db.raw<{ rows: { is_valid: boolean }[] }>(
    'select indisvalid as is_valid from pg_index where indexrelid = to_regclass(?)',
    [name],
  );
  if (!rows[0]) return null;
  return rows[0].is_valid ? 'VALID' : 'INVALID';
}
