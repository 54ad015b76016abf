import {
  LATE_AFTER_HOURS,
  POLICIES,
  type CounterpartyCounts,
  type CounterpartyPolicy,
  type CounterpartyRecord,
} from '../../domain/entities/counterparty.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from '../entities/entity-row.ts';

export interface CounterpartyRow extends EntityRow, CounterpartyCounts {
  policy: CounterpartyPolicy;
  due_diligence_at: Date | null;
  next_review_at: Date | null;
  note: Buffer | null;
  claim_deadline_days: number | null;
  decided_at: Date | null;
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
    coalesce(n.incomplete, 0) as incomplete
  from entities e
    left join counterparties c on c.tenant_id = ${tenantId} and c.entity_id = e.id
    left join lateral (
      select count(*) filter (where was_sent) as sent,
        count(*) filter (where was_sent and status in ('CONFIRMED', 'DECLINED')) as answered,
        count(*) filter (where was_sent and status = 'DELIVERED'
          and (sub_status = 'EXPIRED' or created_at < ${now}::timestamptz - interval '${LATE_AFTER_HOURS} hours')) as late,
        count(*) filter (where direction = 'INCOMING' and message_source <> 'MANUAL' and incomplete) as incomplete
      from (
        select t.*, t.direction = 'OUTGOING' and t.message_source is not null as was_sent
        from entities m join transactions t on t.counterparty_entity_id = m.id
        where (m.id = e.id or m.master_entity_id = e.id) and t.tenant_id = ${tenantId} and t.deleted_at is null
      ) messages
    ) n on true`;
}

/** Opens a row with the keys of its tenant. */
export async function toCounterparty(
  db: Database,
  tenantId: string,
  row: CounterpartyRow,
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
    updatedAt: row.decided_at,
  };
}
