import knex from 'knex';
import type { Knex } from 'knex';

/**
 * Builds SQL and has no connection of its own: the pool runs what `statementOf` makes of a query. A query has a `then`,
 * so an async function must not return one: that would try to run it here.
 */
export const sql = knex({ client: 'pg' });

/** The text of a statement with its placeholders `$1`, `$2` …, and their values. */
export interface SqlStatement {
  text: string;
  values: unknown[];
}

/** Adds each condition, SQL with one `?`, whose value is given. */
export function whereGiven(
  query: Knex.QueryBuilder,
  conditions: Readonly<Record<string, Knex.RawBinding | undefined>>,
): void {
  for (const [condition, value] of Object.entries(conditions)) {
    if (value !== undefined) query.whereRaw(condition, [value]);
  }
}

/** The query as text and values for the pool. Placeholders begin with `$1`, or with another first number. */
export function statementOf(query: Knex.QueryBuilder | Knex.Raw, firstParameter = 1): SqlStatement {
  const { sql: text, bindings } = query.toSQL().toNative();
  const numbered = firstParameter === 1 ? text : renumbered(text, firstParameter - 1);
  return { text: numbered, values: [...bindings] };
}

function renumbered(text: string, added: number): string {
  return text.replaceAll(/\$(\d+)/g, (_, number: string) => `$${Number(number) + added}`);
}
