import type { Rule } from './conditions.ts';

export interface RuleChange {
  kind: 'ADDED' | 'REMOVED' | 'CHANGED';
  before: Rule | null;
  after: Rule | null;
}

/** What differs between two lists of rules; rules are told apart by their ids. */
export function compareRules(before: readonly Rule[], after: readonly Rule[]): RuleChange[] {
  const removedOrChanged = before.flatMap((old): RuleChange[] => {
    const now = after.find(({ id }) => id === old.id);
    if (!now) return [{ kind: 'REMOVED', before: old, after: null }];
    return isSame(old, now) ? [] : [{ kind: 'CHANGED', before: old, after: now }];
  });
  const added = after
    .filter(({ id }) => id === undefined || !before.some((old) => old.id === id))
    .map((rule): RuleChange => ({ kind: 'ADDED', before: null, after: rule }));
  return [...removedOrChanged, ...added];
}

/** Whether two rules decide alike; fields that are left out have their defaults. */
function isSame(one: Rule, other: Rule): boolean {
  return JSON.stringify(whole(one)) === JSON.stringify(whole(other));
}

function whole(rule: Rule): unknown[] {
  const {
    name,
    conditions,
    decision,
    enabled = true,
    priority = 100,
    reason = null,
    waitMinutes = null,
  } = rule;
  return [
    name,
    conditions,
    decision,
    enabled,
    priority,
    reason,
    waitMinutes,
    rule.enabledFrom ?? null,
    rule.snoozedUntil ?? null,
  ];
}
