import type { Queryable } from '../postgres.ts';

// What the tenant has marked as a false positive stays while another screening of the same person does.
const SUPPRESSIONS = `
  delete from screening_suppressions p using screenings s
  where s.tenant_id = $1 and s.transaction_id = $2 and p.tenant_id = $1 and p.subject_token = s.subject_token
    and not exists (
      select from screenings o where o.tenant_id = $1 and o.subject_token = s.subject_token
        and o.transaction_id is distinct from $2)`;

/**
 * What was derived from a transaction in other tables, in the order in which it is removed. Rows that are counted in statistics,
 * or that other rows name, stay without their contents.
 */
const DERIVED = [
  SUPPRESSIONS,
  'delete from screenings where tenant_id = $1 and transaction_id = $2',
  `update transaction_screenings set content = '' where tenant_id = $1 and transaction_id = $2`,
  `update rule_backtest_changes set trace = '' where tenant_id = $1
     and decision_id in (select id from rule_decisions where transaction_id = $2)`,
  `update rule_decisions set facts = '', trace = '' where tenant_id = $1 and transaction_id = $2`,
  `update webhook_deliveries set body = null
   where tenant_id = $1 and resource_kind = 'TRANSACTION' and resource_id = $2 and body is not null`,
  `delete from proposals where tenant_id = $1 and kind = 'REVIEW' and subject_id = $2`,
  'delete from portal_links where tenant_id = $1 and transaction_id = $2',
  "delete from trp_transfers where sent_id = $2 and (tenant_id = $1 or direction = 'INCOMING')",
  'delete from trp_transfers where tenant_id = $1 and replaced_for = $2',
  'delete from reconciliation_findings where tenant_id = $1 and transaction_id = $2',
];

/** Empties what other tables have of a transaction. Its sealed versions are for nobody once its key is gone. */
export async function emptyDerived(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  for (const [index, text] of DERIVED.entries())
    await tx.query({ name: `empty-derived-${index}`, text, values: [tenantId, id] });
}
