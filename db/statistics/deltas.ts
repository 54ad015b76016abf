import type { Direction } from '../../domain/direction.ts';
import { unnestRows, type Column } from '../columns.ts';
import { bucketSql, changesSql, countedColumns, quarterSql, type StatisticsMeasure } from './measures.ts';

/** Rows of a statement that change the counts of a measure: names of its CTEs. */
interface ChangedRows {
  /** Rows that count from now on. */
  added?: string;
  /** Earlier forms of rows, which count no longer. */
  removed?: string;
}

/**
 * SQL: stores how rows of the same statement change the counts, one row for each quarter of an hour and key. The events of
 * a record could not say so: they have neither amounts nor flows, and each would have to be joined with all before it.
 * A row more in a statement that is sent anyway costs no round trip, and no row that others change.
 */
export function deltasSql(measure: StatisticsMeasure, { added, removed }: ChangedRows): string {
  const changes = [added && changesSql(measure, added), removed && changesSql(measure, removed, -1)];
  const isSome = 'having sum(count) <> 0 or sum(unvalued) <> 0 or sum(usd) <> 0 or sum(eur) <> 0';
  return `
  insert into statistics_deltas (tenant_id, quarter, measure, key, count, unvalued, usd, eur)
  select tenant_id, quarter, measure, key, sum(count), sum(unvalued), sum(usd), sum(eur)
  from (${changes.filter((sql) => sql !== undefined).join(' union all ')}) changed
  group by tenant_id, quarter, measure, key ${added && removed ? isSome : ''}`;
}

/** SQL: an insert of rows that count; `insert` is its text without RETURNING. */
export function insertCounted(measure: StatisticsMeasure, insert: string): string {
  return `with added as (${insert} returning ${countedColumns(measure)}) ${deltasSql(measure, { added: 'added' })}`;
}

/** The answer to a message: the move of its record to CONFIRMED or DECLINED. */
export interface MessageAnswer {
  tenantId: string;
  direction: Direction;
  /** The creation of the record. */
  createdAt: Date;
  answeredAt: Date;
}

export const answerColumns: Column<MessageAnswer>[] = [
  { name: 'tenant_id', type: 'uuid', value: (answer) => answer.tenantId },
  { name: 'direction', type: 'text', value: (answer) => answer.direction },
  { name: 'created_at', type: 'timestamptz', value: (answer) => answer.createdAt },
  { name: 'answered_at', type: 'timestamptz', value: (answer) => answer.answeredAt },
];

/** SQL: stores answers for the counts; the parameters from `first` on are `answerColumns`. */
export function answerDeltasSql(first: number): string {
  return `
  insert into statistics_deltas (tenant_id, quarter, measure, key, count)
  select tenant_id, quarter, measure, key, sum(count)
  from (${answerChangesSql(unnestRows(answerColumns, first))}) changed group by tenant_id, quarter, measure, key`;
}

/** SQL: what answers `r` change in the counts. */
export function answerChangesSql(rows: string): string {
  return `
    select r.tenant_id, ${quarterSql('r.created_at')} as quarter, 'ANSWER' as measure,
      r.direction || ' ' || ${bucketSql('r.answered_at - r.created_at')} as key,
      1 as count, 0 as unvalued, 0 as usd, 0 as eur
    from ${rows}`;
}
