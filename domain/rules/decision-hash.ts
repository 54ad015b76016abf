import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';

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
