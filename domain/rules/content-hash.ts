import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';
import type { RuleSet } from './schema.ts';

/** SHA-256 of the canonical JSON of a rule set: equal rules have equal hashes, whatever the order of their members. */
export function contentHash({ rules, defaultDecision, onUndecided }: RuleSet): Buffer {
  return sha256(canonicalJson({ rules, defaultDecision, onUndecided }));
}
