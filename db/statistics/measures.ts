import { BUCKET_GROWTH } from '../../domain/statistics/percentile.ts';
import type { MeasureName } from '../../domain/statistics/statistics.ts';

/** Records that are counted in the month of their `created_at`: how a row of their table counts. */
export interface StatisticsMeasure {
  name: MeasureName;
  table: string;
  /** The columns that say how a row `r` counts, beside `tenant_id` and `created_at`. */
  columns: readonly string[];
  /** SQL: the key under which a row counts. */
  key: string;
  /** SQL: which rows count; all if absent. */
  where?: string;
  /** Whether the rows have amounts in USD and EUR, which are summed. */
  hasVolume?: boolean;
}

export const TRANSACTIONS: StatisticsMeasure = {
  name: 'TRANSACTION',
  table: 'transactions',
  columns: ['direction', 'status', 'amount_usd', 'amount_eur', 'deleted_at'],
  key: `r.direction || ' ' || r.status`,
  where: 'r.deleted_at is null',
  hasVolume: true,
};

export const CLAIMS: StatisticsMeasure = {
  name: 'CLAIM',
  table: 'claims',
  columns: ['direction', 'status', 'erased_at'],
  key: `r.direction || ' ' || r.status`,
  where: 'r.erased_at is null',
};

export const VERIFICATIONS: StatisticsMeasure = {
  name: 'VERIFICATION',
  table: 'verifications',
  columns: ['flow', 'status', 'deleted_at'],
  key: `coalesce(r.flow, 'NONE') || ' ' || r.status`,
  where: 'r.deleted_at is null',
};

export const REUSES: StatisticsMeasure = {
  name: 'REUSE',
  table: 'verification_reuses',
  columns: ['match_level'],
  key: 'r.match_level',
};

/** Screenings on request; what is stored of the parties of a transfer is found by its own screening. */
export const SCREENINGS: StatisticsMeasure = {
  name: 'SCREENING',
  table: 'screenings',
  columns: ['transaction_id', 'sanctioned', 'total_matches', 'complete'],
  key: `case when r.sanctioned then 'SANCTIONED' when r.total_matches > 0 then 'POSSIBLE' else 'CLEAR' end
    || case when r.complete then ' COMPLETE' else ' INCOMPLETE' end`,
  where: 'r.transaction_id is null',
};

export const TRANSACTION_SCREENINGS: StatisticsMeasure = {
  name: 'TRANSACTION_SCREENING',
  table: 'transaction_screenings',
  columns: [],
  key: `'ALL'`,
};

export const RULE_DECISIONS: StatisticsMeasure = {
  name: 'RULE_DECISION',
  table: 'rule_decisions',
  columns: ['direction', 'decision'],
  key: `r.direction || ' ' || r.decision`,
};

/** Webhooks whose delivery has ended. */
export const WEBHOOKS: StatisticsMeasure = {
  name: 'WEBHOOK',
  table: 'webhook_deliveries',
  columns: ['status', 'partner_id'],
  key: 'r.status',
  where: `r.status in ('DELIVERED', 'GAVE_UP') and r.partner_id is null`,
};

/** SQL: the quarter of an hour of a moment. Clocks of every time zone differ from UTC by whole ones. */
export function quarterSql(moment: string): string {
  return `date_bin('15 minutes', ${moment}, timestamptz '2000-01-01 00:00Z')`;
}

/** SQL: the number of the bucket of a duration; `duration` is an interval. */
export function bucketSql(duration: string): string {
  return `ceil(ln(greatest(extract(epoch from ${duration})::float8, 1)) / ln(${BUCKET_GROWTH}::float8))::int`;
}

/** SQL: the columns of a row that say when and how it counts, of a table or alias. */
export function countedColumns({ columns }: StatisticsMeasure, alias?: string): string {
  const names = ['tenant_id', 'created_at', ...columns];
  return names.map((name) => (alias ? `${alias}.${name}` : name)).join(', ');
}

/** SQL: what each of `rows` changes in the counts; `times` is 1 for rows that are added, -1 for rows that are not so any more. */
export function changesSql(measure: StatisticsMeasure, rows: string, times: 1 | -1 = 1): string {
  const { name, key, where = 'true', hasVolume = false } = measure;
  const volume = hasVolume
    ? `, case when r.amount_usd is null or r.amount_eur is null then ${times} else 0 end as unvalued,
       ${times} * coalesce(r.amount_usd, 0) as usd, ${times} * coalesce(r.amount_eur, 0) as eur`
    : ', 0 as unvalued, 0 as usd, 0 as eur';
  return `
    select r.tenant_id, ${quarterSql('r.created_at')} as quarter, '${name}' as measure, ${key} as key,
      ${times} as count ${volume}
    from ${rows} r where ${where}`;
}
