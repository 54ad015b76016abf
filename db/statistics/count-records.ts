import type { SqlStatement } from '../query-builder.ts';
import type { StatisticsMeasure } from './measures.ts';

/** Records of a tenant, chosen by the two words of their key in the statistics, such as direction and status. */
interface CountedChoice {
  tenantId: string;
  /** The values of the first word; undefined for all. */
  first: readonly string[] | undefined;
  /** The values of the second word; undefined for all. */
  second: readonly string[] | undefined;
}

/**
 * SQL: the exact number of such records, `total`, from the counts that every write of a record maintains in its transaction. It
 * costs the same however many records there are. While an upgrade still recounts the tenant, the rows of `matching` are counted
 * in their place.
 */
export function countRecords(
  measure: StatisticsMeasure,
  { tenantId, first, second }: CountedChoice,
  matching: SqlStatement,
): SqlStatement {
  const values: unknown[] = [...matching.values];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const tenant = `${bind(tenantId)}::uuid`;
  const conditions = [
    `tenant_id = ${tenant}`,
    `measure = '${measure.name}'`,
    ...(first ? [`split_part(key, ' ', 1) = any(${bind(first)}::text[])`] : []),
    ...(second ? [`split_part(key, ' ', 2) = any(${bind(second)}::text[])`] : []),
  ].join(' and ');
  const text = `
    select case when t.statistics_due then (select count(*) from (${matching.text}) matching)
      else (select coalesce(sum(count), 0)::bigint from (
        select count from statistics_counts where span = 'MONTH' and ${conditions}
        union all
        select count from statistics_deltas where ${conditions}
      ) counted) end as total
    from tenants t where t.id = ${tenant}`;
  return { text, values };
}
