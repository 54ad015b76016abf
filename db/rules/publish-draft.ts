import type pg from 'pg';
import type { ConfigurationRecord, RuleAuthor, VersionRecord } from '../../domain/rules/configuration.ts';
import { contentHash } from '../../domain/rules/content-hash.ts';
import { staleDraft } from '../../domain/rules/publish.ts';
import { DomainError } from '../../domain/errors.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

interface DraftPublication {
  keys: TenantKeys;
  comment: string;
  author: RuleAuthor;
  now: Date;
}

/**
 * Publishes the draft that was read as the next version. Of two publications from the same state one wins. Throws
 * conflict when the draft or the published version has changed since.
 */
export async function publishDraft(
  tx: pg.PoolClient,
  read: ConfigurationRecord,
  { keys, comment, author, now }: DraftPublication,
): Promise<ConfigurationRecord> {
  await lockUnchanged(tx, read);
  const { ruleSet } = read.draft;
  const hash = contentHash(ruleSet);
  const version = read.publishedVersion + 1;
  const published: VersionRecord = {
    version,
    ruleSet,
    comment,
    contentHash: hash,
    publishedAt: now,
    publishedBy: author,
  };
  await insertVersion(tx, read, published, keys);
  await tx.query('update rule_configurations set published_version = $3 where tenant_id = $1 and id = $2', [
    read.tenantId,
    read.id,
    version,
  ]);
  return { ...read, publishedVersion: version, published, guard: null };
}

async function lockUnchanged(tx: pg.PoolClient, read: ConfigurationRecord): Promise<void> {
  const { rows } = await tx.query<{ revision: number; version: number }>(
    `select draft_revision as revision, published_version as version from rule_configurations
     where tenant_id = $1 and id = $2 for no key update`,
    [read.tenantId, read.id],
  );
  const now = rows[0];
  if (now?.revision !== read.draft.revision) throw staleDraft(now?.revision ?? 0);
  if (now.version === read.publishedVersion) return;
  throw new DomainError('conflict', 'Somebody else has published meanwhile: review that version first.', {
    members: { publishedVersion: now.version },
  });
}

async function insertVersion(
  tx: pg.PoolClient,
  { id, tenantId }: ConfigurationRecord,
  { version, ruleSet, comment, publishedBy, ...published }: VersionRecord,
  keys: TenantKeys,
): Promise<void> {
  await tx.query(
    `insert into rule_versions (configuration_id, version, tenant_id, content, content_hash, comment, rule_count,
       published_by_kind, published_by, published_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      id,
      version,
      tenantId,
      keys.seal(sealingContext.rules.content(id, version), ruleSet),
      published.contentHash,
      keys.seal(sealingContext.rules.comment(id, version), comment),
      ruleSet.rules.length,
      publishedBy.kind,
      publishedBy.id,
      published.publishedAt,
    ],
  );
}
