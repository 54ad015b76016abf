import type { Queryable } from '../postgres.ts';

interface RuleWaits {
  tenantId: string;
  id: string;
  now: Date;
}

/** Ends the running WAIT rules of a transaction: they are spent from now on. */
export async function endRuleWaits(tx: Queryable, { tenantId, id, now }: RuleWaits): Promise<void> {
  await tx.query(
    'update rule_decisions set wait_until = $3 where tenant_id = $1 and transaction_id = $2 and wait_until > $3',
    [tenantId, id, now],
  );
}
