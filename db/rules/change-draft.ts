import type { ConfigurationRecord, RuleAuthor } from '../../domain/rules/configuration.ts';
import { staleDraft } from '../../domain/rules/publish.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

interface DraftChange {
  keys: TenantKeys;
  ruleSet: RuleSet;
  author: RuleAuthor;
  now: Date;
}

/** Replaces the draft that was read. Throws conflict when the draft has changed since. */
export async function changeDraft(
  db: Queryable,
  read: ConfigurationRecord,
  { keys, ruleSet, author, now }: DraftChange,
): Promise<ConfigurationRecord> {
  const { rowCount } = await db.query(
    `update rule_configurations set draft = $4, draft_revision = draft_revision + 1, draft_updated_at = $5,
       draft_by_kind = $6, draft_by = $7
     where tenant_id = $1 and id = $2 and draft_revision = $3`,
    [
      read.tenantId,
      read.id,
      read.draft.revision,
      keys.seal(sealingContext.rules.draft(read.id), ruleSet),
      now,
      author.kind,
      author.id,
    ],
  );
  if (rowCount === 0) throw staleDraft(await currentRevision(db, read));
  const draft = { ruleSet, revision: read.draft.revision + 1, updatedAt: now, updatedBy: author };
  return { ...read, draft };
}

async function currentRevision(db: Queryable, { tenantId, id }: ConfigurationRecord): Promise<number> {
  const { rows } = await db.query<{ revision: number }>(
    'select draft_revision as revision from rule_configurations where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  return rows[0]?.revision ?? 0;
}
