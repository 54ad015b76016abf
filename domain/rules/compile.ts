import type { RuleSet } from './schema.ts';

/** Rules in the form in which they run; may be kept and used by any number of evaluations at a time. */
export interface CompiledRules {
  readonly ruleSet: RuleSet;
}

export declare function compileRules(ruleSet: RuleSet): CompiledRules;
