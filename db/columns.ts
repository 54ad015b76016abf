/**
 * A column of many rows, sent in lines of COPY or as an array parameter. `cast` is its type where that has no usable
 * array type.
 */
export interface Column<T> {
  name: string;
  type: 'uuid' | 'text' | 'numeric' | 'int' | 'bigint' | 'boolean' | 'bytea' | 'timestamptz';
  cast?: 'jsonb' | 'bigint[]' | 'text[]' | 'date' | 'xid8';
  value(row: T): unknown;
}

/** Names of the columns, for the insert's head. */
export function columnNames<T>(columns: readonly Column<T>[]): string {
  return columns.map((column) => column.name).join(', ');
}

/** The columns as selected from `unnestRows`, cast where needed. */
export function columnValues<T>(columns: readonly Column<T>[]): string {
  return columns
    .map((column) => (column.cast ? `r.${column.name}::${column.cast}` : `r.${column.name}`))
    .join(', ');
}

/**
 * `unnest((select $n::uuid[]), $m::text[], …) as r(id, …)`: the rows of one statement, whatever their number. The planner must
 * not see that number, for which the first array is within a select: it would plan a named statement anew at each run, which
 * mostly takes longer than the run. `isCounted` shows it the number.
 */
export function unnestRows<T>(
  columns: readonly Column<T>[],
  firstParameter = 1,
  { isCounted = false } = {},
): string {
  const arrays = columns.map((column, index) => `$${firstParameter + index}::${column.type}[]`);
  const [first = '', ...others] = arrays;
  const shown = isCounted ? first : `(select ${first})`;
  return `unnest(${[shown, ...others].join(', ')}) as r(${columnNames(columns)})`;
}

/** `$n::uuid[]`: the array of one column among the parameters of `unnestRows`. Throws for a column that is none of them. */
export function arrayParameter<T>(columns: readonly Column<T>[], name: string, firstParameter = 1): string {
  const index = columns.findIndex((column) => column.name === name);
  const column = columns[index];
  if (!column) throw new Error(`there is no column ${name}`);
  return `$${firstParameter + index}::${column.type}[]`;
}

/** The array parameters for `unnestRows`. */
export function unnestValues<T>(columns: readonly Column<T>[], rows: readonly T[]): unknown[][] {
  return columns.map((column) => rows.map((row) => column.value(row)));
}

/** A whole insert of many rows in one statement. */
export function insertSql<T>(table: string, columns: readonly Column<T>[]): string {
  return `insert into ${table} (${columnNames(columns)}) select ${columnValues(columns)} from ${unnestRows(columns)}`;
}

/** The insert of one row by the names of its columns, to which `on conflict` or `returning` may be added. */
export function insertRow(
  table: string,
  row: Readonly<Record<string, unknown>>,
  ending = '',
): { text: string; values: unknown[] } {
  const names = Object.keys(row);
  const parameters = names.map((_, index) => `$${index + 1}`);
  return {
    text: `insert into ${table} (${names.join(', ')}) values (${parameters.join(', ')}) ${ending}`.trimEnd(),
    values: Object.values(row),
  };
}

/** An array as PostgreSQL writes one, for a column of arrays. */
export function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, (special) => `\\${special}`)}"`).join(',')}}`;
}
