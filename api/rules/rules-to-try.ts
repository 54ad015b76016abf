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

/** Rules to try, with their source: a version, a revision of the draft, or the request if both are null. */
interface RulesToTry {
  ruleSet: RuleSet;
  version: number | null;
  revision: number | null;
}

/** Selects the rules for a simulation or a back-test. Throws validation_failed, rules_invalid. */
export function rulesToTry(read: ConfigurationRecord, request: RulesRequest): RulesToTry {
  const given = (['rules', 'defaultDecision', 'onUndecided'] as const).filter(
    (name) => request[name] !== undefined,
  );
  if (request.source === 'PUBLISHED') {
    if (given[0])
      throw invalidField(`/${given[0]}`, 'not_with_published', 'Published rules are taken as they are.');
    const ruleSet = read.published?.ruleSet ?? emptyRuleSet(read.direction);
    return { ruleSet, version: read.publishedVersion, revision: null };
  }
  const { ruleSet, revision } = read.draft;
  if (given.length === 0) return { ruleSet, version: null, revision };
  const rules = request.rules ?? ruleSet.rules;
  return { ruleSet: readRules({ ...request, rules }, ruleSet), version: null, revision: null };
}
