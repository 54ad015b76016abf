import knex from 'knex';
import type { Knex } from 'knex';
import type pg from 'pg';

/**
 * Builds SQL and has no connection of its own: `statementOf` gives what the pool runs. A query under construction has a
 * `then`, so an async function must not return one: that would try to run it here.
 */
export const sql = knex({ client: 'pg' });

/** Adds each condition, SQL with one `?`, whose value is given. */
export function whereGiven(
  query: Knex.QueryBuilder,
  conditions: Readonly<Record<string, Knex.RawBinding | undefined>>,
): void {
  for (const [condition, value] of Object.entries(conditions)) {
    if (value !== undefined) query.whereRaw(condition, [value]);
  }
}

/** The text, with `$1` for the first value, and the values of a query. */
export function statementOf(query: Knex.QueryBuilder | Knex.Raw): pg.QueryConfig<unknown[]> {
  const { sql: text, bindings } = query.toSQL().toNative();
  return { text, values: [...bindings] };
}
