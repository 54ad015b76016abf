import { z } from 'zod';
import { checkCondition, type LeafCount } from './check-condition.ts';
import { at, readBy, refuse, type FaultCollector, type RuleFault } from './fault.ts';
import { LIMITS, RuleInput, RuleSetInput, type Rule, type RuleSet } from './schema.ts';

export type CheckedRules = { ok: true; ruleSet: RuleSet } | { ok: false; faults: RuleFault[] };

/** Everything except the conditions, whose faults are described in more detail than a schema can. */
const SetHead = RuleSetInput.extend({ rules: z.array(z.unknown()) });
const RuleHead = RuleInput.extend({ conditions: z.unknown().optional() });
type RuleHead = z.output<typeof RuleHead>;

const DEFAULT_PRIORITY = 100;
/** More than all blockchains that are known; a draft may have 80,000 values. */
const GUESSES = 200;

/**
 * Reads `{rules, defaultDecision, onUndecided?}`, fills in defaults and puts values into canonical form. If there are
 * faults, returns all of them, at most 1,000.
 */
export function checkRules(body: unknown, makeId: () => string): CheckedRules {
  const top: FaultCollector = {
    pointer: '',
    ruleId: null,
    leaf: null,
    faults: [],
    guesses: { left: GUESSES },
  };
  const head = readBy(SetHead, body, top);
  const given = head?.rules ?? rulesOf(body);
  const rules = checkList(given, at(top, 'rules'), makeId);
  if (!head || top.faults.length > 0) return { ok: false, faults: top.faults };
  const { defaultDecision, onUndecided = 'IGNORE' } = head;
  return { ok: true, ruleSet: { rules, defaultDecision, onUndecided } };
}

/** The rules of a body that has other faults, so that the faults of the rules are reported too. */
function rulesOf(body: unknown): unknown[] {
  const rules: unknown = typeof body === 'object' && body !== null && 'rules' in body ? body.rules : [];
  return Array.isArray(rules) ? rules : [];
}

function checkList(given: readonly unknown[], place: FaultCollector, makeId: () => string): Rule[] {
  if (given.length > LIMITS.rules) {
    refuse(place, 'too_many_rules', `There are at most ${LIMITS.rules} rules.`);
  }
  const count: LeafCount = { leaves: 0 };
  const seen = new Set<string>();
  return given
    .slice(0, LIMITS.rules)
    .map((one, index) => checkRule(one, at(place, index), { count, seen, makeId }))
    .filter((rule) => rule !== undefined);
}

interface CheckRulesInput {
  count: LeafCount;
  /** Ids of the preceding rules. */
  seen: Set<string>;
  makeId: () => string;
}

function checkRule(
  given: unknown,
  outer: FaultCollector,
  { count, seen, makeId }: CheckRulesInput,
): Rule | undefined {
  const place = { ...outer, ruleId: idOf(given) };
  const head = readBy(RuleHead, given, place);
  if (place.ruleId !== null && seen.has(place.ruleId)) {
    refuse(at(place, 'id'), 'duplicate_id', 'Another rule has this id.');
  }
  if (place.ruleId !== null) seen.add(place.ruleId);
  const conditions = hasConditions(given)
    ? checkCondition(given.conditions, at(place, 'conditions'), count)
    : refuseMissing(given, place);
  if (head) checkWait(head, place);
  if (!head || !conditions) return undefined;
  return ruleOf(head, place.ruleId ?? makeId(), conditions);
}

function hasConditions(given: unknown): given is { conditions: unknown } {
  return typeof given === 'object' && given !== null && Object.hasOwn(given, 'conditions');
}

/** Records that the conditions are missing, unless the rule is not an object: that fault is recorded already. */
function refuseMissing(given: unknown, place: FaultCollector): undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined;
  return refuse(at(place, 'conditions'), 'required', 'This field is required.');
}

function idOf(given: unknown): string | null {
  const id: unknown = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  return z.uuid().toLowerCase().safeParse(id).data ?? null;
}

function checkWait({ decision, waitMinutes }: RuleHead, outer: FaultCollector): void {
  const place = at(outer, 'waitMinutes');
  const isGiven = typeof waitMinutes === 'number';
  if (decision === 'WAIT' && !isGiven) refuse(place, 'required', 'WAIT needs its minutes.');
  if (decision !== 'WAIT' && isGiven) refuse(place, 'wait_not_allowed', 'Only WAIT has minutes.');
}

function ruleOf(head: RuleHead, id: string, conditions: Rule['conditions']): Rule {
  return {
    id,
    name: head.name,
    enabled: head.enabled ?? true,
    priority: head.priority ?? DEFAULT_PRIORITY,
    conditions,
    decision: head.decision,
    waitMinutes: head.waitMinutes ?? null,
    reason: head.reason ?? null,
    enabledFrom: instant(head.enabledFrom),
    snoozedUntil: instant(head.snoozedUntil),
  };
}

function instant(given: string | null | undefined): string | null {
  return given ? new Date(given).toISOString() : null;
}
