import type { Queryable } from '../postgres.ts';
import type { NewDecision } from './seal-decision.ts';

/**
 * Names the entity with which a running wait was decided again, in the decision that stands: whoever changes the entity
 * finds the transfer by it. The caller has locked the transfer.
 */
export async function waitOnEntity(
  tx: Queryable,
  { tenantId, transactionId, facts }: NewDecision,
): Promise<void> {
  await tx.query(
    `update rule_decisions d set waits_on_entity_id = $3
     where d.tenant_id = $1 and d.transaction_id = $2 and d.waits_on_entity_id is distinct from $3
       and d.sequence = (select max(sequence) from rule_decisions where transaction_id = $2)`,
    [tenantId, transactionId, facts.counterpartyEntityId ?? null],
  );
}
