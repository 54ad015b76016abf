import type { RuleSet } from './schema.ts';

/** One thing wrong with a rule set; there is one for every fault, in reading order. */
export interface RuleFault {
  /** JSON Pointer into the rule set, such as `/rules/0/conditions/all/0/value`. */
  pointer: string;
  code: string;
  message: string;
  /** Of the rule it is in, where that has a usable id. */
  ruleId: string | null;
  /** The field of the leaf it is in, where that names one. */
  leaf: string | null;
}

export type CheckedRules = { ok: true; ruleSet: RuleSet } | { ok: false; faults: RuleFault[] };

/** Reads `{rules, defaultDecision, onUndecided?}`: every default filled in, every value in its canonical form. */
export declare function checkRules(body: unknown, makeId: () => string): CheckedRules;
