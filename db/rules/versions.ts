import { notFound } from '../../domain/errors.ts';
import type { RuleVersionSummary, VersionRecord } from '../../domain/rules/configuration.ts';
import type { VersionList } from '../../domain/rules/requests.ts';
import type { Database } from '../database.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { sealingContext } from '../vault/contexts.ts';
import { sealedIn, toVersion, VERSION_COLUMNS, type VersionRow } from './configuration-row.ts';

interface VersionRef {
  tenantId: string;
  configurationId: string;
}

/** Reads a published version. Throws not_found, also for another tenant's. */
export async function getVersion(
  db: Database,
  { tenantId, configurationId }: VersionRef,
  version: number,
): Promise<VersionRecord> {
  const { rows } = await db.pool.query<VersionRow>(
    `select ${VERSION_COLUMNS} from rule_versions v
     where v.tenant_id = $1 and v.configuration_id = $2 and v.version = $3::bigint`,
    [tenantId, configurationId, version],
  );
  if (!rows[0]) throw notFound('rule version');
  return toVersion(configurationId, rows[0], await db.vault.tenantKeys(tenantId, sealedIn(rows)));
}

type SummaryRow = Omit<VersionRow, 'content'> & { rule_count: number };

const LISTED = `
  from rule_versions v where v.tenant_id = $1 and v.configuration_id = $2
    and ($3::text is null or v.version::text = $3 or starts_with(encode(v.content_hash, 'hex'), $3))`;

/** One page of the published versions, without their rules, and how many there are. Throws not_found. */
export async function listVersions(
  db: Database,
  place: VersionRef,
  { start, end, order, q }: VersionList,
): Promise<{ versions: RuleVersionSummary[]; total: number }> {
  const values = [place.tenantId, place.configurationId, q?.trim().toLowerCase() ?? null];
  const { rows: known } = await db.pool.query<{ total: number }>(
    `select (select count(*) ${LISTED}) as total from rule_configurations where tenant_id = $1 and id = $2`,
    values,
  );
  if (!known[0]) throw notFound('rule configuration');
  const { rows } = await db.pool.query<SummaryRow>(
    `select version, content_hash, comment, rule_count, published_by_kind, published_by, published_at ${LISTED}
     order by version ${order} offset $4 limit $5`,
    [...values, start, end - start],
  );
  const keys = await db.vault.tenantKeys(place.tenantId, sealedIn(rows));
  return { versions: rows.map((row) => toSummary(place, row, keys)), total: known[0].total };
}

function toSummary({ configurationId }: VersionRef, row: SummaryRow, keys: TenantKeys): RuleVersionSummary {
  return {
    version: row.version,
    comment: keys.open<string>(sealingContext.rules.comment(configurationId, row.version), row.comment),
    contentHash: row.content_hash.toString('hex'),
    publishedAt: row.published_at.toISOString(),
    publishedBy: { kind: row.published_by_kind, id: row.published_by },
    ruleCount: row.rule_count,
  };
}
