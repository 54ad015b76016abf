import {
  emptyRuleSet,
  type ConfigurationRecord,
  type RuleAuthor,
  type VersionRecord,
} from '../../domain/rules/configuration.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';
import type { Direction } from '../../domain/direction.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface ConfigurationRow {
  id: string;
  tenant_id: string;
  direction: Direction;
  draft: Buffer | null;
  draft_revision: number;
  draft_updated_at: Date;
  draft_by_kind: RuleAuthor['kind'] | null;
  draft_by: string | null;
  published_version: number;
  guard_tripped_at: Date | null;
  guard_blocked: number | null;
  guard_decisions: number | null;
  is_guarded: boolean;
}

export const CONFIGURATION_COLUMNS =
  'c.id, c.tenant_id, c.direction, c.draft, c.draft_revision, c.draft_updated_at, c.draft_by_kind, c.draft_by, ' +
  'c.published_version, c.guard_tripped_at, c.guard_blocked, c.guard_decisions, ' +
  'c.guard_version is not distinct from c.published_version as is_guarded';

export interface VersionRow {
  version: number;
  content: Buffer;
  content_hash: Buffer;
  comment: Buffer;
  published_by_kind: RuleAuthor['kind'];
  published_by: string;
  published_at: Date;
}

export const VERSION_COLUMNS =
  'v.version, v.content, v.content_hash, v.comment, v.published_by_kind, v.published_by, v.published_at';

interface SealedColumns {
  draft?: Buffer | null;
  content?: Buffer | null;
  comment?: Buffer | null;
}

/** The sealed values of rows, for loading the tenant's keys. */
export function sealedIn(rows: readonly SealedColumns[]): Buffer[] {
  return rows
    .flatMap(({ draft, content, comment }) => [draft, content, comment])
    .filter((sealed): sealed is Buffer => sealed instanceof Buffer);
}

export function toConfiguration(
  row: ConfigurationRow,
  published: VersionRow | null,
  keys: TenantKeys,
): ConfigurationRecord {
  const { id, direction, draft } = row;
  return {
    id,
    tenantId: row.tenant_id,
    direction,
    draft: {
      ruleSet: draft ? keys.open<RuleSet>(sealingContext.rules.draft(id), draft) : emptyRuleSet(direction),
      revision: row.draft_revision,
      updatedAt: row.draft_updated_at,
      updatedBy: row.draft_by_kind && row.draft_by ? { kind: row.draft_by_kind, id: row.draft_by } : null,
    },
    publishedVersion: row.published_version,
    published: published && toVersion(id, published, keys),
    guard: toGuard(row),
  };
}

/** Null for a guard that was tripped by an earlier version. */
function toGuard({ is_guarded, guard_tripped_at, guard_blocked, guard_decisions }: ConfigurationRow) {
  if (!is_guarded || !guard_tripped_at) return null;
  return {
    trippedAt: guard_tripped_at.toISOString(),
    blocked: guard_blocked ?? 0,
    decisions: guard_decisions ?? 0,
  };
}

export function toVersion(configurationId: string, row: VersionRow, keys: TenantKeys): VersionRecord {
  return {
    version: row.version,
    ruleSet: keys.open<RuleSet>(sealingContext.rules.content(configurationId, row.version), row.content),
    comment: keys.open<string>(sealingContext.rules.comment(configurationId, row.version), row.comment),
    contentHash: row.content_hash,
    publishedAt: row.published_at,
    publishedBy: { kind: row.published_by_kind, id: row.published_by },
  };
}
