import { z } from 'zod';
import { DIRECTIONS, type Direction } from '../direction.ts';
import { proposalShown } from '../proposals/schema.ts';
import { RuleGuard } from './guard.ts';
import { DEFAULT_DECISIONS, ON_UNDECIDED, RuleSchema, type RuleSet } from './schema.ts';

/** The API key or user that changed or published rules. */
export const RuleAuthor = z
  .strictObject({ kind: z.enum(['API_KEY', 'USER']), id: z.uuid() })
  .meta({ id: 'RuleAuthor' });
export type RuleAuthor = z.infer<typeof RuleAuthor>;

const ruleSet = {
  rules: z.array(RuleSchema),
  defaultDecision: z.enum(DEFAULT_DECISIONS),
  onUndecided: z.enum(ON_UNDECIDED),
};

const published = {
  version: z.int(),
  comment: z.string(),
  contentHash: z.string().describe('SHA-256 of the canonical JSON of the rules, defaults included.'),
  publishedAt: z.iso.datetime(),
  publishedBy: RuleAuthor,
};

/** A published version with its rules; it never changes. */
export const RuleVersion = z.strictObject({ ...ruleSet, ...published }).meta({ id: 'RuleVersion' });
export type RuleVersion = z.infer<typeof RuleVersion>;

export const RuleVersionSummary = z
  .strictObject({ ...published, ruleCount: z.int() })
  .meta({ id: 'RuleVersionSummary' });
export type RuleVersionSummary = z.infer<typeof RuleVersionSummary>;

const RuleDraft = z
  .strictObject({
    ...ruleSet,
    revision: z.int().describe('Number of changes; a change states the revision it is based on.'),
    updatedAt: z.iso.datetime(),
    updatedBy: RuleAuthor.nullable(),
  })
  .meta({ id: 'RuleDraft' });

/** The rule configuration of one direction in responses. */
export const RuleConfiguration = z
  .strictObject({
    id: z.uuid(),
    direction: z.enum(DIRECTIONS),
    draft: RuleDraft,
    published: RuleVersion.nullable(),
    publishedVersion: z.int().describe('0 before the first publish: the default decision applies.'),
    latestComment: z.string().nullable(),
    guard: RuleGuard.nullable().describe(
      'Since when BLOCK decisions of the published version become reviews (`settings.rules.blockGuard`); null if they do not.',
    ),
  })
  .meta({ id: 'RuleConfiguration' });
export type RuleConfiguration = z.infer<typeof RuleConfiguration>;

/** The answer to a publication. */
export const PublishedRules = z
  .strictObject({ ...RuleConfiguration.shape, ...proposalShown })
  .meta({ id: 'PublishedRules' });

/** A stored version. */
export interface VersionRecord {
  version: number;
  ruleSet: RuleSet;
  comment: string;
  contentHash: Buffer;
  publishedAt: Date;
  publishedBy: RuleAuthor;
}

/** A stored configuration with its draft. */
export interface ConfigurationRecord {
  id: string;
  tenantId: string;
  direction: Direction;
  draft: { ruleSet: RuleSet; revision: number; updatedAt: Date; updatedBy: RuleAuthor | null };
  publishedVersion: number;
  published: VersionRecord | null;
  /** The guard of the published version, if it has tripped. */
  guard: RuleGuard | null;
}

/** The rule set before the first rule is written or published: payouts proceed, deposits are reviewed. */
export function emptyRuleSet(direction: Direction): RuleSet {
  return {
    rules: [],
    defaultDecision: direction === 'OUTGOING' ? 'PROCEED' : 'REVIEW',
    onUndecided: 'IGNORE',
  };
}

export function viewConfiguration(record: ConfigurationRecord): RuleConfiguration {
  const { ruleSet, revision, updatedAt, updatedBy } = record.draft;
  return {
    id: record.id,
    direction: record.direction,
    draft: { ...ruleSet, revision, updatedAt: updatedAt.toISOString(), updatedBy },
    published: record.published && viewVersion(record.published),
    publishedVersion: record.publishedVersion,
    latestComment: record.published?.comment ?? null,
    guard: record.guard,
  };
}

export function viewVersion({ ruleSet, contentHash, publishedAt, ...rest }: VersionRecord): RuleVersion {
  return {
    ...ruleSet,
    ...rest,
    contentHash: contentHash.toString('hex'),
    publishedAt: publishedAt.toISOString(),
  };
}
