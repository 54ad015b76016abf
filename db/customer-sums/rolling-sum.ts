import { quarterSql } from '../statistics/measures.ts';

/** SQL of the values that say whose transfers are summed up, and until when. */
interface RollingSum {
  tenantId: string;
  token: string;
  direction: string;
  /** The end of the 24 hours, which counts. */
  until: string;
  /** The transfer itself, which may not be stored. */
  id: string;
  amountEur: string;
}

// By the clock of the database, as the triggers, which note sums for three days. A transfer that is decided on a day later is rare,
// and is summed up from the rows, as is one from before the triggers.
const HAS_SUMS = `w.first > now() - interval '2 days' and w.first >= (select customer_sums_since from deployment)`;

/**
 * SQL: the transfer itself and those of its customer in the 24 hours before it, exactly. Whole quarters of an hour are read from
 * their sums, what is before and after them from the rows. A transfer without a value makes the sum unknown, not smaller: at least
 * what is known. A sealed one counts from the moment that its wallet is confirmed.
 */
export function rollingSumSql({ tenantId, token, direction, until, id, amountEur }: RollingSum): string {
  const rows = (period: string) => `
      select count(*) as count, count(*) - count(r.amount_eur) as unpriced, coalesce(sum(r.amount_eur), 0) as eur
      from transactions r
      where r.tenant_id = ${tenantId} and r.subject_token = ${token} and r.direction = ${direction}
        and r.deleted_at is null and r.id <> ${id} and (not r.sealed or r.release_id is not null)
        and r.status not in ('CANCELLED', 'DECLINED', 'FAILED') and ${period}`;
  return `
    select json_build_object('count', sum(part.count)::bigint + 1,
      'known', (sum(part.eur) + coalesce(${amountEur}::numeric, 0))::text,
      'isComplete', sum(part.unpriced) = 0 and ${amountEur}::numeric is not null)
    from (select ${until}::timestamptz - interval '24 hours' as first, ${until}::timestamptz as last) w
    cross join lateral (
      select case when ${HAS_SUMS} then ${quarterSql('w.first')} + interval '15 minutes' else w.last end as first,
        case when ${HAS_SUMS} then ${quarterSql('w.last')} else w.last end as until
    ) whole cross join lateral (
      ${rows('r.created_at > w.first and r.created_at < whole.first')}
      union all ${rows('r.created_at >= whole.until and r.created_at <= w.last')}
      union all
      select coalesce(sum(s.count), 0), coalesce(sum(s.unpriced), 0), coalesce(sum(s.eur), 0) from customer_sums s
      where s.tenant_id = ${tenantId} and s.subject_token = ${token} and s.direction = ${direction}
        and s.quarter >= whole.first and s.quarter < whole.until
    ) part`;
}
