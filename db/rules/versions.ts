import { notFound } from '../../domain/errors.ts';
import type { RuleVersionSummary, VersionRecord } from '../../domain/rules/configuration.ts';
import type { VersionList } from '../../domain/rules/requests.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { sealingContext } from '../vault/contexts.ts';
import { requireConfiguration, type ConfigurationRef } from './require-configuration.ts';
import { sealedIn, toVersion, VERSION_COLUMNS, type VersionRow } from './configuration-row.ts';

/** Reads a published version. Throws not_found, also for another tenant's. */
export async function getVersion(
  db: Database,
  { tenantId, configurationId }: ConfigurationRef,
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

const SUMMARY_COLUMNS =
  'version, content_hash, comment, rule_count, published_by_kind, published_by, published_at';

/** One page of the published versions, without their rules. Throws not_found. */
export async function listVersions(
  db: Database,
  configuration: ConfigurationRef,
  list: VersionList,
): Promise<ListPage<RuleVersionSummary>> {
  await requireConfiguration(db.pool, configuration);
  const page = {
    matching: statementOf(matchingVersions(configuration, list)),
    orderBy: `version ${list.order}`,
    rows: `select ${SUMMARY_COLUMNS} from page join rule_versions using (configuration_id, version)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: SummaryRow[]) => {
    const keys = await db.vault.tenantKeys(configuration.tenantId, sealedIn(rows));
    return rows.map((row) => toSummary(configuration, row, keys));
  });
}

/** `q` finds a number, or the beginning of a content hash. */
function matchingVersions({ tenantId, configurationId }: ConfigurationRef, { q }: VersionList) {
  const matching = sql('rule_versions')
    .select('configuration_id', 'version')
    .where({ tenant_id: tenantId, configuration_id: configurationId });
  if (q === undefined) return matching;
  const text = q.trim().toLowerCase();
  return matching.whereRaw(`(version::text = ? or starts_with(encode(content_hash, 'hex'), ?))`, [
    text,
    text,
  ]);
}

function toSummary(
  { configurationId }: ConfigurationRef,
  row: SummaryRow,
  keys: TenantKeys,
): RuleVersionSummary {
  return {
    version: row.version,
    comment: keys.open<string>(sealingContext.rules.comment(configurationId, row.version), row.comment),
    contentHash: row.content_hash.toString('hex'),
    publishedAt: row.published_at.toISOString(),
    publishedBy: { kind: row.published_by_kind, id: row.published_by },
    ruleCount: row.rule_count,
  };
}
