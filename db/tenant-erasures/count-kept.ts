import type { KeptOnTheDay } from '../../domain/tenant-erasures/tenant-erasure.ts';
import { keptAfter } from '../../domain/record-retention/kept-until.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';

interface CountRow {
  under_retention: number;
  legal_holds: number;
  new_legal_holds: number;
}

/** SQL over the row `r`: since when it has its status, as its log says. */
const STATUS_SINCE = `(select max(e.created_at) from events e where e.subject_id = r.id and e.tenant_id = r.tenant_id
  and e.new_status = r.status and e.new_status is distinct from e.previous_status)`;

// A record that was made after $2 cannot have ended before: the log is read for older ones alone.
const COUNT = `
  select
    (select count(*) from transactions r where r.tenant_id = $1 and r.erased_at is null and (r.created_at > $2
      or case when r.status in ('CONFIRMED', 'DECLINED', 'CANCELLED') then coalesce(${STATUS_SINCE}, r.created_at)
           else r.updated_at end > $2))::int
    + (select count(*) from claims r where r.tenant_id = $1 and r.erased_at is null and (r.created_at > $2
      or coalesce(${STATUS_SINCE}, r.updated_at) > $2))::int
    + (select count(*) from verifications r where r.tenant_id = $1 and r.erased_at is null and r.updated_at > $2)::int
      as under_retention,
    count(*)::int as legal_holds, (count(*) filter (where legal_hold_at > $3))::int as new_legal_holds
  from transactions where tenant_id = $1 and erased_at is null and legal_hold_at is not null`;

interface CountedDay {
  tenantId: string;
  /** The day on which the records are to be erased. */
  day: Date;
  /** Legal holds that were set later than that are counted as new ones; null for none. */
  holdsAfter?: Date | null;
}

/** Counts the records of a tenant that have to be kept beyond a day. */
export async function countKept(
  tx: Queryable,
  { tenantId, day, holdsAfter = null }: CountedDay,
): Promise<KeptOnTheDay> {
  const { rows: tenants } = await tx.query<{ settings: StoredSettings }>(
    'select settings from tenants where id = $1',
    [tenantId],
  );
  const { retentionDays } = settingsOf(tenants[0]?.settings ?? {});
  const { rows } = await tx.query<CountRow>(COUNT, [tenantId, keptAfter(day, retentionDays), holdsAfter]);
  return {
    underRetention: rows[0]?.under_retention ?? 0,
    legalHolds: rows[0]?.legal_holds ?? 0,
    newLegalHolds: rows[0]?.new_legal_holds ?? 0,
  };
}
