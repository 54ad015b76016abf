import { randomUUID } from 'node:crypto';
import { checkRules } from '../../domain/rules/check-rules.ts';
import { invalidRules } from '../../domain/rules/publish.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';

/** The largest body with rules, in bytes: many rules with long lists of values are more than other bodies. */
export const RULES_BYTES = 2 * 1024 * 1024;

interface GivenRules {
  rules: unknown;
  defaultDecision?: unknown;
  onUndecided?: unknown;
}

/**
 * Checks the rules of a request. `defaultDecision` and `onUndecided` come from `stored` if the request does not have them.
 * Throws rules_invalid.
 */
export function readRules(given: GivenRules, stored: RuleSet): RuleSet {
  const { rules, defaultDecision = stored.defaultDecision, onUndecided = stored.onUndecided } = given;
  const checked = checkRules({ rules, defaultDecision, onUndecided }, randomUUID);
  if (!checked.ok) throw invalidRules(checked.faults);
  return checked.ruleSet;
}
