import {
  ANSWERS_TIMED,
  LATE_AFTER_HOURS,
  POLICIES,
  RECENT_DAYS,
  type CounterpartyPolicy,
  type CounterpartyRecord,
  type CounterpartyStepRecord,
} from '../../domain/entities/counterparty.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import { findSteps } from './steps.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from '../entities/entity-row.ts';

export interface CounterpartyRow extends EntityRow {
  policy: CounterpartyPolicy;
  due_diligence_at: Date | null;
  next_review_at: Date | null;
  note: Buffer | null;
  claim_deadline_days: number | null;
  decided_at: Date | null;
  sent: number;
  answered: number;
  late: number;
  incomplete: number;
  received: number;
  claims_unanswered: number;
  recent_failures: number;
  median_answer_hours: number | null;
  p95_answer_hours: number | null;
  suspended: number;
  returned: number;
  rejected: number;
}

/** SQL: the strictest policy of the entity `e` and its duplicates: merging two must not lift a block. */
export function policySql(tenantId: string): string {
  return `coalesce((
    select (array${JSON.stringify(POLICIES).replaceAll('"', "'")})[max(array_position(
      array${JSON.stringify(POLICIES).replaceAll('"', "'")}, p.policy))]
    from counterparties p join entities m on m.id = p.entity_id
    where p.tenant_id = ${tenantId} and coalesce(m.master_entity_id, m.id) = e.id), '${POLICIES[0]}')`;
}

/** `policySql` in a statement whose first parameter is the tenant. */
export const POLICY = policySql('$1');

/**
 * SQL: everything that is shown of the entities `e` as counterparties of a tenant at one moment; both are given as
 * placeholders. Messages of duplicates are counted with their master.
 */
export function counterpartySql({ tenantId, now }: { tenantId: string; now: string }): string {
  return `
  select ${ENTITY_COLUMNS.split(',')
    .map((name) => `e.${name.trim()}`)
    .join(', ')},
    ${policySql(tenantId)} as policy, c.due_diligence_at, c.next_review_at, c.note, c.claim_deadline_days, c.updated_at as decided_at,
    coalesce(n.sent, 0) as sent, coalesce(n.answered, 0) as answered, coalesce(n.late, 0) as late,
    coalesce(n.incomplete, 0) as incomplete, coalesce(n.received, 0) as received, u.claims_unanswered,
    coalesce(n.recently_incomplete, 0) + u.recently_unanswered as recent_failures,
    a.median_answer_hours, a.p95_answer_hours, d.suspended, d.returned, d.rejected
  from entities e
    left join counterparties c on c.tenant_id = ${tenantId} and c.entity_id = e.id
    left join lateral (
      select count(*) filter (where was_sent) as sent,
        count(*) filter (where was_sent and status in ('CONFIRMED', 'DECLINED')) as answered,
        count(*) filter (where was_sent and status = 'DELIVERED'
          and (sub_status = 'EXPIRED' or created_at < ${now}::timestamptz - interval '${LATE_AFTER_HOURS} hours')) as late,
        count(*) filter (where was_received) as received,
        count(*) filter (where was_received and incomplete) as incomplete,
        count(*) filter (where was_received and incomplete
          and created_at >= ${now}::timestamptz - interval '${RECENT_DAYS} days') as recently_incomplete
      from (
        select t.*, t.direction = 'OUTGOING' and t.message_source is not null as was_sent,
          t.direction = 'INCOMING' and t.message_source <> 'MANUAL' as was_received
        from entities m join transactions t on t.counterparty_entity_id = m.id
        where (m.id = e.id or m.master_entity_id = e.id) and t.tenant_id = ${tenantId} and t.deleted_at is null
      ) messages
    ) n on true
    left join lateral (${answerTimes(tenantId)}) a on true
    left join lateral (
      select count(*) as claims_unanswered,
        count(*) filter (where k.updated_at >= ${now}::timestamptz - interval '${RECENT_DAYS} days') as recently_unanswered
      from entities m join claims k on k.originator_vasp_entity_id = m.id
      where (m.id = e.id or m.master_entity_id = e.id) and k.tenant_id = ${tenantId} and k.direction = 'OUTGOING'
        and k.status in ('DECLINED', 'EXPIRED') and k.erased_at is null
    ) u on true
    left join lateral (
      select count(*) filter (where t.assets_disposition = 'SUSPENDED') as suspended,
        count(*) filter (where t.assets_disposition = 'RETURNED') as returned,
        count(*) filter (where t.assets_disposition = 'REJECTED') as rejected
      from entities m join transactions t on t.counterparty_entity_id = m.id
      where (m.id = e.id or m.master_entity_id = e.id) and t.tenant_id = ${tenantId}
        and t.assets_disposition is not null and t.deleted_at is null
    ) d on true`;
}

/** SQL: how long the entity `e` took for its latest answers, from the arrival of the message. */
function answerTimes(tenantId: string): string {
  return `
      select percentile_cont(0.5) within group (order by hours) as median_answer_hours,
        percentile_cont(0.95) within group (order by hours) as p95_answer_hours
      from (
        select extract(epoch from p.decided_at - p.created_at)::float8 / 3600 as hours
        from (
          select t.pair_id from entities m join transactions t on t.counterparty_entity_id = m.id
          where (m.id = e.id or m.master_entity_id = e.id) and t.tenant_id = ${tenantId} and t.direction = 'OUTGOING'
            and t.status in ('CONFIRMED', 'DECLINED') and t.pair_id is not null and t.deleted_at is null
          order by t.created_at desc limit ${ANSWERS_TIMED}
        ) latest join message_pairs p on p.id = latest.pair_id
        where p.decided_at is not null
      ) answers`;
}

/** Opens rows with the keys of their tenant, and reads the steps about them. */
export async function toCounterparties(
  db: Database,
  tenantId: string,
  rows: readonly CounterpartyRow[],
): Promise<CounterpartyRecord[]> {
  const steps = await findSteps(
    db,
    tenantId,
    rows.map(({ id }) => id),
  );
  return await Promise.all(
    rows.map(async (row) => await toCounterparty(db, tenantId, row, steps.get(row.id) ?? [])),
  );
}

async function toCounterparty(
  db: Database,
  tenantId: string,
  row: CounterpartyRow,
  steps: CounterpartyStepRecord[],
): Promise<CounterpartyRecord> {
  const keys = row.note ? await db.vault.tenantKeys(tenantId, [row.note]) : undefined;
  return {
    entity: toEntity(row),
    policy: row.policy,
    dueDiligenceAt: row.due_diligence_at,
    nextReviewAt: row.next_review_at,
    note:
      keys && row.note
        ? keys.open<string>(sealingContext.counterparty.note(tenantId, row.id), row.note)
        : null,
    claimDeadlineDays: row.claim_deadline_days,
    sent: row.sent,
    answered: row.answered,
    late: row.late,
    incomplete: row.incomplete,
    received: row.received,
    claimsUnanswered: row.claims_unanswered,
    recentFailures: row.recent_failures,
    medianAnswerHours: row.median_answer_hours,
    p95AnswerHours: row.p95_answer_hours,
    suspended: row.suspended,
    returned: row.returned,
    rejected: row.rejected,
    steps,
    updatedAt: row.decided_at,
  };
}
