import type { Knex } from 'knex';
import type { PageRange } from '../domain/list-query.ts';
import type { Queryable } from './postgres.ts';
import { sql, statementOf } from './query-builder.ts';

/** One page of a list. */
export interface Page<T> {
  items: T[];
  /** The number of all matching items; undefined when the caller did not want it. */
  total: number | undefined;
}

/** How one page of a list is read. */
export interface PageQuery {
  /** Selects the key of every matching row, in no order. */
  matching: Knex.QueryBuilder;
  /** A total order of these rows, as in `created_at desc, id desc`: with ties, pages could repeat or miss a row. */
  orderBy: string;
  /** Reads what is shown from `page`, which has the keys: `select … from page join wallets using (id)`. */
  rows: string | Knex.Raw;
  range: PageRange;
}

/** One page and, if wanted, the exact number of all matching rows, asked for side by side. */
export async function readPage<Row extends object, T>(
  db: Queryable,
  query: PageQuery,
  toItems: (rows: Row[]) => T[] | Promise<T[]>,
): Promise<Page<T>> {
  const [page, total] = await Promise.all([
    db.query<Row>(pageStatement(query)),
    query.range.wantsCount ? countRows(db, query.matching) : undefined,
  ]);
  return { items: await toItems(page.rows), total };
}

/** Keys first, rows after: a deep page must not read all the rows that it skips. */
export function pageStatement({ matching, orderBy, rows, range }: PageQuery) {
  const keys = matching
    .clone()
    .orderByRaw(orderBy)
    .offset(range.start)
    .limit(range.end - range.start);
  const shown = typeof rows === 'string' ? sql.raw(rows) : rows;
  return statementOf(
    sql.raw('with page as (select *, row_number() over () as place from ? keys) ? order by place', [
      keys,
      shown,
    ]),
  );
}

async function countRows(db: Queryable, matching: Knex.QueryBuilder): Promise<number> {
  const { rows } = await db.query<{ total: number }>(countStatement(matching));
  return rows[0]?.total ?? 0;
}

export function countStatement(matching: Knex.QueryBuilder) {
  return statementOf(matching.clone().clearSelect().count('* as total'));
}
