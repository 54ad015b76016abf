import type { Direction } from '../../domain/direction.ts';
import type { Facts } from '../../domain/rules/facts.ts';
import type { RuleEvaluation } from '../../domain/rules/schema.ts';
import { decisionHash } from '../../domain/rules/decision-hash.ts';
import { sha256 } from '../../domain/sha256.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';

/** A decision to be stored, with its inputs. */
export interface NewDecision {
  tenantId: string;
  transactionId: string;
  direction: Direction;
  configurationId: string;
  version: number;
  facts: Facts;
  evaluation: RuleEvaluation;
  /** WAIT rules whose time was over. */
  spent: readonly string[];
  waitUntil: Date | null;
  /** The `now` of the evaluation. */
  evaluatedAt: Date;
  /** Set where an event names the decision: then it was sealed before. */
  sealed?: SealedDecision;
}

/** A decision as it is stored, and the hash that the event of the decision keeps of it. */
export interface SealedDecision {
  id: string;
  facts: Buffer;
  trace: Buffer;
  hash: string;
}

/** Seals a decision with the key of its transaction, before the event that names it is written. */
export function sealDecision(key: RecordKey, decision: NewDecision): SealedDecision {
  const { tenantId, transactionId, direction, configurationId, version, evaluation, evaluatedAt } = decision;
  const id = newId(evaluatedAt);
  const ref = { tenantId, transactionId, id };
  const facts = key.sealCompressed(sealingContext.ruleDecision.facts(ref), decision.facts);
  const trace = key.sealCompressed(sealingContext.ruleDecision.trace(ref), evaluation);
  const hash = decisionHash({
    id,
    transactionId,
    direction,
    configurationId,
    version,
    decision: evaluation.decision,
    decidedBy: evaluation.decidedBy,
    restsOnSanctions: evaluation.restsOnSanctions,
    spent: [...decision.spent],
    evaluatedAt: evaluatedAt.toISOString(),
    facts: sha256(facts).toString('hex'),
    trace: sha256(trace).toString('hex'),
  });
  return { id, facts, trace, hash };
}
