import type { Queryable } from '../postgres.ts';
import { deltasSql } from '../statistics/deltas.ts';
import { countedColumns, RULE_DECISIONS } from '../statistics/measures.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { sealDecision, type NewDecision } from './seal-decision.ts';

/**
 * Stores a decision as the next of its transaction, whose row the caller has locked; `key` is the transaction's, so that
 * erasing the record erases what was known of it. Answers its id and number.
 *
 * @public
 */
export async function insertDecision(
  tx: Queryable,
  key: RecordKey,
  decision: NewDecision,
): Promise<{ id: string; sequence: number }> {
  const { facts, evaluation, evaluatedAt, ...rest } = decision;
  const sealed = decision.sealed ?? sealDecision(key, decision);
  const { rows } = await tx.query<{ sequence: number }>({
    name: 'insert-rule-decision',
    text: INSERT,
    values: [
      sealed.id,
      rest.tenantId,
      rest.transactionId,
      rest.direction,
      rest.configurationId,
      rest.version,
      evaluation.decision,
      evaluation.decidedBy,
      evaluation.restsOnSanctions,
      rest.waitUntil,
      rest.waitUntil && (facts.counterpartyEntityId ?? null),
      [...rest.spent],
      sealed.facts,
      sealed.trace,
      evaluatedAt,
    ],
  });
  return { id: sealed.id, sequence: rows[0]?.sequence ?? 0 };
}

const INSERT = `
  with added as (
    insert into rule_decisions (id, tenant_id, transaction_id, sequence, direction, configuration_id, version, decision,
      decided_by, rests_on_sanctions, wait_until, waits_on_entity_id, spent, facts, trace, created_at)
    select $1, $2, $3, coalesce(max(sequence), 0) + 1, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15
    from rule_decisions where transaction_id = $3
    returning sequence, ${countedColumns(RULE_DECISIONS)}
  ), counted as (${deltasSql(RULE_DECISIONS, { added: 'added' })})
  select sequence from added`;
