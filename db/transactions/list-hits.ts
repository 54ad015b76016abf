import type { TransactionList } from '../../domain/transactions/viewing/list.ts';
import type { Database } from '../database.ts';
import { inTransaction } from '../postgres.ts';
import type { SqlStatement } from '../query-builder.ts';
import { listOrder } from './list-order.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS } from './row.ts';

/**
 * Room to remember each hit by itself: with the default of 4 MB only the pages of more than some 50,000 hits are
 * remembered, and every row on them is compared again. And many hits are worth more than one core: by default the
 * planner thinks that handing over two columns costs more than finding them.
 */
const SETTINGS = `set local work_mem = '32MB'; set local parallel_tuple_cost = 0`;

/** A page of what `q` found, and the number of all hits. */
export interface HitsPage {
  rows: RecordRow[];
  total: number;
}

/**
 * Finds the hits once, by the indexes of the search, and takes both page and number from them. Materialized, because a
 * limit would make the planner walk through all of a tenant's records for a word that is rare.
 */
export function hitsStatement(where: SqlStatement, list: TransactionList): SqlStatement {
  const { column, orderBy } = listOrder(list);
  return {
    text: `
      with hits as materialized (
        select id, ${column} from transactions where ${where.text}
      ), page as (
        select id, row_number() over () as place from (
          select id from hits order by ${orderBy} offset ${list.start} limit ${list.end - list.start}
        ) keys
      )
      select total, ${READ_COLUMNS}
      from (select count(*) as total from hits) counted
      left join (page join transactions using (id)) on true
      order by place`,
    values: where.values,
  };
}

/** Runs `hitsStatement`: also a page beyond the last hit states their number. */
export async function readHits(db: Database, where: SqlStatement, list: TransactionList): Promise<HitsPage> {
  const rows = await inTransaction(db.pool, async (tx) => {
    await tx.query(SETTINGS);
    return (await tx.query<HitRow>(hitsStatement(where, list))).rows;
  });
  return { rows: rows.filter(isHit), total: rows[0]?.total ?? 0 };
}

type HitRow = { total: number } & (RecordRow | { id: null });

function isHit(row: HitRow): row is HitRow & RecordRow {
  return row.id !== null;
}
