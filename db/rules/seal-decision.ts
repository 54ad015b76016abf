import { canonicalJson } from '../../domain/canonical-json.ts';
import { sha256 } from '../../domain/sha256.ts';
import { newId } from '../new-id.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { RecordKey } from '../vault/record-key.ts';
import type { NewDecision } from './insert-decision.ts';

/** A decision as it is stored, and the hash that the event of the decision keeps of it. */
export interface SealedDecision {
  id: string;
  facts: Buffer;
  trace: Buffer;
  hash: string;
}

/** What the hash of a decision covers: all that is never changed. The end of a wait is, and the entity that it waits on. */
export interface HashedDecision {
  id: string;
  transactionId: string;
  direction: string;
  configurationId: string;
  version: number;
  decision: string;
  decidedBy: string;
  restsOnSanctions: boolean;
  spent: readonly string[];
  /** In ISO 8601, with milliseconds. */
  evaluatedAt: string;
  /** SHA-256 of the sealed bytes, in hex: it says nothing of what is in them, also once their key is gone. */
  facts: string;
  trace: string;
}

/** The hash of a stored decision, in hex. */
export function decisionHash(decision: HashedDecision): string {
  return sha256(canonicalJson(decision)).toString('hex');
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
