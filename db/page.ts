import type { PageRange } from '../domain/list-query.ts';
import type { Queryable } from './postgres.ts';
import type { SqlStatement } from './query-builder.ts';

/** One page of a list. */
export interface ListPage<T> {
  items: T[];
  /** The number of all matching items; undefined when the caller did not want it. */
  total: number | undefined;
}

/** How one page of a list is read. */
export interface PageQuery {
  /** Selects the key of every matching row, in no order. */
  matching: SqlStatement;
  /** A total order of these rows, as in `created_at desc, id desc`: with ties, pages could repeat or miss a row. */
  orderBy: string;
  /**
   * Reads what is shown from `page`, which has the keys: `select … from page join wallets using (id)`. Its own
   * placeholders, if any, follow those of `matching`.
   */
  rows: string | SqlStatement;
  /** Selects the number of matching rows as `total`, where that is known without reading them. */
  count?: SqlStatement | undefined;
  range: PageRange;
}

/** Reads one page and, if wanted, the exact number of all matching rows, side by side. */
export async function readPage<Row extends object, T>(
  db: Queryable,
  query: PageQuery,
  toItems: (rows: Row[]) => T[] | Promise<T[]>,
): Promise<ListPage<T>> {
  const { page, count } = pageStatements(query);
  const [read, counted] = await Promise.all([
    db.query<Row>(page),
    query.range.wantsCount ? db.query<{ total: number }>(count) : undefined,
  ]);
  return { items: await toItems(read.rows), total: counted?.rows[0]?.total };
}

/** The statements of a list. Keys first, rows after: a deep page must not read all the rows that it skips. */
export function pageStatements({ matching: { text, values }, orderBy, rows, count, range }: PageQuery) {
  const shown = typeof rows === 'string' ? { text: rows, values: [] } : rows;
  return {
    page: {
      text: `
        with page as (
          select *, row_number() over () as place from (
            ${text} order by ${orderBy} offset ${range.start} limit ${range.end - range.start}
          ) keys
        )
        ${shown.text} order by place`,
      values: [...values, ...shown.values],
    },
    count: count ?? { text: `select count(*) as total from (${text}) matching`, values },
  };
}
