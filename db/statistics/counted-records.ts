import { answerChangesSql } from './deltas.ts';
import {
  changesSql,
  CLAIMS,
  countedColumns,
  REUSES,
  RULE_DECISIONS,
  SCREENINGS,
  TRANSACTION_SCREENINGS,
  TRANSACTIONS,
  VERIFICATIONS,
  WEBHOOKS,
  type StatisticsMeasure,
} from './measures.ts';

const MEASURES = [
  TRANSACTIONS,
  CLAIMS,
  VERIFICATIONS,
  REUSES,
  SCREENINGS,
  TRANSACTION_SCREENINGS,
  RULE_DECISIONS,
  WEBHOOKS,
];

function recordsSql(measure: StatisticsMeasure): string {
  const rows = `(select ${countedColumns(measure)} from ${measure.table} where tenant_id = $1)`;
  return changesSql(measure, rows);
}

// CONFIRMED and DECLINED are final, so the first event of such a status is the answer; a record of version 1 was made with it.
const ANSWERS = answerChangesSql(`(
    select t.tenant_id, t.direction, t.created_at, e.answered_at
    from (
      select distinct on (subject_id) subject_id, version, created_at as answered_at from events
      where tenant_id = $1 and subject_kind = 'TRANSACTION' and new_status in ('CONFIRMED', 'DECLINED')
      order by subject_id, sequence
    ) e join transactions t on t.id = e.subject_id and t.tenant_id = $1
    where e.version > 1
      and case t.direction when 'OUTGOING' then t.destination_type else t.origin_type end = 'CUSTODIAL'
  ) r`);

/** SQL for each measure: what every record of the tenant `$1` counts, as rows of `statistics_deltas`. */
export const COUNTED_RECORDS: readonly string[] = [...MEASURES.map(recordsSql), ANSWERS];
