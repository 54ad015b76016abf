import type { DecisionRecord } from '../../domain/rules/decision-record.ts';
import type { Facts } from '../../domain/rules/facts.ts';
import type { RuleEvaluation } from '../../domain/rules/schema.ts';
import type { Direction } from '../../domain/direction.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface DecisionRow {
  id: string;
  tenant_id: string;
  transaction_id: string;
  sequence: number;
  direction: Direction;
  configuration_id: string;
  version: number;
  wait_until: Date | null;
  spent: string[];
  facts: Buffer;
  trace: Buffer;
  created_at: Date;
  record_key: Buffer;
}

export function toDecision(row: DecisionRow, keys: TenantKeys): DecisionRecord {
  const { id, tenant_id: tenantId, transaction_id: transactionId } = row;
  const ref = { tenantId, transactionId, id };
  const key = keys.openRecordKey(
    row.record_key,
    sealingContext.transaction.key({ tenantId, id: transactionId }),
  );
  return {
    id,
    transactionId,
    sequence: row.sequence,
    direction: row.direction,
    configurationId: row.configuration_id,
    version: row.version,
    evaluation: key.open<RuleEvaluation>(sealingContext.ruleDecision.trace(ref), row.trace),
    facts: key.open<Facts>(sealingContext.ruleDecision.facts(ref), row.facts),
    spent: row.spent,
    waitUntil: row.wait_until,
    evaluatedAt: row.created_at,
  };
}
