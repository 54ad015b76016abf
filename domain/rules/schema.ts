import { z } from 'zod';
import {
  CURRENCIES,
  FIELD_NAMES,
  OPERATORS,
  type Currency,
  type FieldName,
  type Operator,
} from './fields.ts';

/** Decisions from the weakest to the strongest. */
export const DECISIONS = ['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'] as const;
export const RuleVerdict = z.enum(DECISIONS).meta({ id: 'RuleVerdict' });
export type RuleVerdict = z.infer<typeof RuleVerdict>;

/** Decisions for the case that no rule matches. WAIT is not among them: it would have no minutes. */
export const DEFAULT_DECISIONS = ['PROCEED', 'REVIEW', 'BLOCK'] as const;

/** The effect of a rule that lacks a price, sanctions or AML fact: none, or a review. */
export const ON_UNDECIDED = ['IGNORE', 'REVIEW'] as const;
type OnUndecided = (typeof ON_UNDECIDED)[number];

export const LIMITS = {
  /** Levels of `all`, `any` and `not`; leaves do not count. */
  depth: 5,
  rules: 200,
  /** Maximum for all rules together. */
  leaves: 500,
  /** Maximum in the list of one leaf. */
  values: 1_000,
  nameLength: 200,
  reasonLength: 500,
  /** Characters of a text in a condition. */
  valueLength: 256,
  priority: 1_000_000,
  /** 30 days. */
  waitMinutes: 43_200,
} as const;

/** Decimals are canonical strings ("1000", "0.5"). BETWEEN has a lower and an upper bound, both inclusive. */
export type LeafValue = string | boolean | string[];

export interface FieldCondition {
  field: FieldName;
  operator: Operator;
  /** Absent with EXISTS and NOT_EXISTS. */
  value?: LeafValue | undefined;
  /** Only with `amount`: compares the value in this currency. */
  currency?: Currency | undefined;
}

export type Condition = FieldCondition | { all: Condition[] } | { any: Condition[] } | { not: Condition };

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

const LeafSchema = z
  .strictObject({
    field: z.enum(FIELD_NAMES),
    operator: z.enum(OPERATORS),
    value: z
      .union([Scalar, z.array(Scalar).min(1).max(LIMITS.values)])
      .optional()
      .describe(
        'A list with IN, NOT_IN, CONTAINS_ANY, CONTAINS_NONE and BETWEEN; none with EXISTS and NOT_EXISTS.',
      ),
    currency: z.enum(CURRENCIES).optional().describe('Only with `amount`.'),
  })
  .meta({ id: 'RuleLeaf' });

/** A leaf, or exactly one of `all`, `any`, `not`. For documentation only: `checkRules` reads conditions. */
const ConditionSchema: z.ZodType<unknown, unknown> = z
  .lazy(() =>
    z.union([
      LeafSchema,
      z.strictObject({ all: z.array(ConditionSchema).min(1) }),
      z.strictObject({ any: z.array(ConditionSchema).min(1) }),
      z.strictObject({ not: ConditionSchema }),
    ]),
  )
  .meta({ id: 'RuleCondition', description: `At most ${LIMITS.depth} levels of all, any and not.` });

/** A time with an offset or Z. */
const at = z.iso.datetime({ offset: true }).refine(isWritable, {
  error: 'must lie in the years 0000 to 9999 of UTC',
});

/** Whether the time has a four-digit year in UTC: an offset can move it out of that range. */
function isWritable(text: string): boolean {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) || /^\d{4}-/.test(time.toISOString());
}

/** A rule in requests; omitted members get their defaults. */
export const RuleInput = z
  .strictObject({
    id: z.uuid().optional().describe('Stays the same over versions; created when absent.'),
    name: z.string().min(1).max(LIMITS.nameLength),
    enabled: z.boolean().optional().describe('Default true.'),
    priority: z
      .int()
      .min(0)
      .max(LIMITS.priority)
      .optional()
      .describe('Lower numbers first; default 100. It only orders rules of the same decision.'),
    conditions: ConditionSchema,
    decision: RuleVerdict,
    waitMinutes: z.int().min(1).max(LIMITS.waitMinutes).nullable().optional().describe('Needed with WAIT.'),
    reason: z
      .string()
      .min(1)
      .max(LIMITS.reasonLength)
      .nullable()
      .optional()
      .describe('Never leaves the tenant.'),
    enabledFrom: at.nullable().optional().describe('The rule is inactive before this time.'),
    snoozedUntil: at.nullable().optional().describe('The rule is inactive until this time.'),
  })
  .meta({ id: 'RuleInput' });

/** A rule in storage and responses. */
export const RuleSchema = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    enabled: z.boolean(),
    priority: z.int(),
    conditions: ConditionSchema,
    decision: RuleVerdict,
    waitMinutes: z.int().nullable(),
    reason: z.string().nullable(),
    enabledFrom: z.iso.datetime().nullable(),
    snoozedUntil: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Rule' });

export interface Rule {
  /** A UUID in lower case, unique in its set. */
  id: string;
  name: string;
  enabled: boolean;
  priority: number;
  conditions: Condition;
  decision: RuleVerdict;
  waitMinutes: number | null;
  reason: string | null;
  /** ISO 8601 in UTC with milliseconds, as is `snoozedUntil`. */
  enabledFrom: string | null;
  snoozedUntil: string | null;
}

export interface RuleSet {
  rules: Rule[];
  defaultDecision: (typeof DEFAULT_DECISIONS)[number];
  onUndecided: OnUndecided;
}

/** The rules of a draft in requests, without its revision. */
export const RuleSetInput = z.strictObject({
  rules: z.array(RuleInput).max(LIMITS.rules),
  defaultDecision: z.enum(DEFAULT_DECISIONS),
  onUndecided: z.enum(ON_UNDECIDED).optional().describe('Default IGNORE.'),
});

export const RULE_RESULTS = ['MATCHED', 'NOT_MATCHED', 'UNDECIDED', 'SPENT', 'SNOOZED', 'DISABLED'] as const;

const Shown = z.union([z.string(), z.boolean(), z.array(z.string())]).nullable();

export const LeafTrace = z
  .strictObject({
    pointer: z
      .string()
      .describe('JSON Pointer into the conditions of the rule; empty if they are a single leaf.'),
    field: z.enum(FIELD_NAMES),
    operator: z.enum(OPERATORS),
    currency: z.enum(CURRENCIES).nullable(),
    expected: Shown,
    actual: Shown.describe('Of a sum that lacks prices: the known part, if that decides.'),
    result: z
      .boolean()
      .nullable()
      .describe('Result of the leaf as written, before any `not`; null when its fact is missing.'),
    missing: z.boolean(),
  })
  .meta({ id: 'RuleLeafTrace' });
export type LeafTrace = z.infer<typeof LeafTrace>;

export const RuleTrace = z
  .strictObject({
    ruleId: z.uuid(),
    name: z.string(),
    priority: z.int(),
    result: z.enum(RULE_RESULTS),
    decision: RuleVerdict,
    trace: z.array(LeafTrace).describe('Every leaf in reading order; empty for a rule that is not enabled.'),
  })
  .meta({ id: 'RuleTrace' });
export type RuleTrace = z.infer<typeof RuleTrace>;

export interface RuleEvaluation {
  decision: RuleVerdict;
  /** The id of the rule, `default`, or `undecided` if a missing fact caused a review. */
  decidedBy: string;
  /** Minutes of the deciding rule; set with WAIT. */
  waitMinutes: number | null;
  /** Reason of the deciding rule; visible to the tenant only. */
  reason: string | null;
  /** The decision is based on a sanctions hit or a missing sanctions answer: only a reviewer may release the transfer. */
  restsOnSanctions: boolean;
  rules: RuleTrace[];
}
