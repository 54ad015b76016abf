import { LATE_AFTER_HOURS, type CounterpartyWarning } from '../../domain/entities/counterparty.ts';
import { failsRepeatedly } from './repeated-failures.ts';

interface TenantSql {
  tenantId: string;
  now: string;
  /** The countries of high risk, as a placeholder. */
  countries: string;
}

/** SQL over the entity `e`, for each warning: whether the tenant is warned of it, as `warningsOf` says it of one that was read. */
export function warningSql({ tenantId, now, countries }: TenantSql): Record<CounterpartyWarning, string> {
  const message = (condition: string) => `exists (
    select 1 from entities m join transactions t on t.counterparty_entity_id = m.id
    where (m.id = e.id or m.master_entity_id = e.id) and t.tenant_id = ${tenantId} and t.deleted_at is null and ${condition})`;
  const decided = (condition: string) => `exists (
    select 1 from counterparties c where c.tenant_id = ${tenantId} and c.entity_id = e.id and ${condition})`;
  const sent = `t.direction = 'OUTGOING' and t.message_source is not null`;
  return {
    REVIEW_OVERDUE: decided(`c.next_review_at <= ${now}::timestamptz`),
    DUE_DILIGENCE_MISSING: `(not ${decided('c.due_diligence_at is not null')} and ${message(sent)})`,
    HIGH_RISK_COUNTRY: `e.countries && ${countries}::text[]`,
    HIGH_RISK: `e.risk_severity = 'high'`,
    LATE_ANSWERS: message(`${sent} and t.status = 'DELIVERED' and (t.sub_status = 'EXPIRED'
      or t.created_at < ${now}::timestamptz - interval '${LATE_AFTER_HOURS} hours')`),
    INCOMPLETE_MESSAGES: message(
      `t.direction = 'INCOMING' and t.message_source <> 'MANUAL' and t.incomplete`,
    ),
    REPEATED_FAILURES: failsRepeatedly('e.id', { tenantId, now }),
  };
}
