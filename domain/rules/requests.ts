import { z } from 'zod';
import { listQuery, Timestamp } from '../list-query.ts';
import { Facts } from './facts.ts';
import { DEFAULT_DECISIONS, LIMITS, ON_UNDECIDED } from './schema.ts';

/** For documentation only: `checkRules` reads rules and reports each fault with its rule and leaf. */
const given = (description: string) =>
  z.unknown().meta({
    description,
    type: 'array',
    maxItems: LIMITS.rules,
    items: { $ref: '#/components/schemas/RuleInput' },
  });

const decisions = {
  defaultDecision: z
    .unknown()
    .meta({ type: 'string', enum: DEFAULT_DECISIONS, description: 'When no rule matches.' })
    .optional(),
  onUndecided: z
    .unknown()
    .meta({
      type: 'string',
      enum: ON_UNDECIDED,
      description:
        'REVIEW: a BLOCK, REVIEW or WAIT rule that lacks a price, sanctions or AML fact causes a review.',
    })
    .optional(),
};

const Revision = z.int().min(1).describe('The revision that was read; 409 if the draft has changed since.');

/** A new draft. Omitted decisions stay unchanged. */
export const PatchDraftBody = z
  .strictObject({
    rules: given('All rules; they replace those of the draft.'),
    ...decisions,
    revision: Revision,
  })
  .meta({ id: 'PatchRuleDraft' });

/** Rules to be tested: the draft, the published version, or given rules in place of the draft. */
const tried = {
  source: z.enum(['DRAFT', 'PUBLISHED']),
  rules: given('With DRAFT, in place of the stored rules.').optional(),
  ...decisions,
};

export const SimulateBody = z
  .strictObject({
    ...tried,
    input: Facts.describe('Facts by field name; absent facts are missing.'),
    spent: z
      .array(z.uuid().toLowerCase())
      .max(LIMITS.rules)
      .optional()
      .describe('Ids of WAIT rules whose time is over.'),
    at: Timestamp.optional().describe('The time of the evaluation, for snoozed rules; now if absent.'),
  })
  .meta({ id: 'SimulateRules' });
export type SimulateBody = z.infer<typeof SimulateBody>;

export const PublishBody = z
  .strictObject({
    comment: z.string().min(1).max(1_000).describe('The reason; stored permanently with the version.'),
    revision: Revision.optional(),
  })
  .meta({ id: 'PublishRules' });
export type PublishBody = z.infer<typeof PublishBody>;

export const RestoreBody = z
  .strictObject({ version: z.int().min(1), revision: Revision.optional() })
  .meta({ id: 'RestoreRules' });

export const LoadStarterSetBody = z
  .strictObject({ revision: Revision.optional() })
  .meta({ id: 'LoadStarterSet' });

export const ReplayBody = z
  .strictObject({
    transactionId: z.uuid().toLowerCase(),
    sequence: z.int().min(1).optional().describe('Which decision of the transaction; the last if absent.'),
  })
  .meta({ id: 'ReplayDecision' });

export const StartBacktestBody = z
  .strictObject({
    ...tried,
    from: Timestamp.describe('Decisions made at this time or later.'),
    to: Timestamp.describe('Decisions made at this time or earlier.'),
  })
  .meta({ id: 'StartBacktest' });

export const ListVersionsQuery = listQuery({ sortable: ['version'], filters: {} });
export type VersionList = z.output<typeof ListVersionsQuery>;
export const ListBacktestsQuery = listQuery({ sortable: ['createdAt'], filters: {} });
export type BacktestList = z.output<typeof ListBacktestsQuery>;
