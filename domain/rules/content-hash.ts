import { canonicalJson } from '../canonical-json.ts';
import { sha256 } from '../sha256.ts';
import type { RuleSet } from './schema.ts';

/** SHA-256 over the canonical JSON of a rule set: equal rules have equal hashes, in whatever order they were written. */
export function contentHash({ rules, defaultDecision, onUndecided }: RuleSet): Buffer {
  return sha256(canonicalJson({ rules, defaultDecision, onUndecided }));
}
