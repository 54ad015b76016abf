import { emptyRuleSet, type ConfigurationRecord } from '../../domain/rules/configuration.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';
import { invalidField } from '../../domain/errors.ts';
import { readRules } from './read-rules.ts';

interface RulesRequest {
  source: 'DRAFT' | 'PUBLISHED';
  rules?: unknown;
  defaultDecision?: unknown;
  onUndecided?: unknown;
}

/** Rules to try, and where they are from: a version, a revision of the draft, or the request when both are null. */
interface RulesToTry {
  ruleSet: RuleSet;
  version: number | null;
  revision: number | null;
}

/** Throws validation_failed, rules_invalid. */
export function rulesToTry(read: ConfigurationRecord, asked: RulesRequest): RulesToTry {
  const given = (['rules', 'defaultDecision', 'onUndecided'] as const).filter(
    (name) => asked[name] !== undefined,
  );
  if (asked.source === 'PUBLISHED') {
    if (given[0])
      throw invalidField(`/${given[0]}`, 'not_with_published', 'Published rules are taken as they are.');
    const ruleSet = read.published?.ruleSet ?? emptyRuleSet(read.direction);
    return { ruleSet, version: read.publishedVersion, revision: null };
  }
  const { ruleSet, revision } = read.draft;
  if (given.length === 0) return { ruleSet, version: null, revision };
  const rules = asked.rules ?? ruleSet.rules;
  return { ruleSet: readRules({ ...asked, rules }, ruleSet), version: null, revision: null };
}
