import { createHash } from 'node:crypto';
import { canonicalJson } from '../canonical-json.ts';
import type { RuleSet } from './schema.ts';

/** SHA-256 of the canonical JSON of a rule set: equal rules have equal hashes, whatever the order of their members. */
export function contentHash({ rules, defaultDecision, onUndecided }: RuleSet): Buffer {
  return createHash('sha256').update(canonicalJson({ rules, defaultDecision, onUndecided })).digest();
}
