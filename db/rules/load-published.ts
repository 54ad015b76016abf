import type { CompiledRules } from '../../domain/rules/compile.ts';
import { emptyRuleSet } from '../../domain/rules/configuration.ts';
import type { Direction } from '../../domain/direction.ts';
import type { Database } from '../database.ts';
import { compiledOf, findCompiled } from './compiled-rules.ts';
import { getVersion } from './versions.ts';

/** The rules that hold for a direction now. */
export interface PublishedRules {
  configurationId: string;
  /** 0 before the first publish: the default decision of the direction. */
  version: number;
  compiled: CompiledRules;
  /** Its blocks have become reviews. */
  isGuarded: boolean;
}

interface PublishedRow {
  id: string;
  version: number;
  content_hash: Buffer | null;
  is_guarded: boolean;
}

/**
 * The rules by which a tenant decides at this moment. Which version that is, is asked of the database each time; what a
 * version says never changes, so its compiled form is kept.
 */
export async function loadPublished(
  db: Database,
  tenantId: string,
  direction: Direction,
): Promise<PublishedRules> {
  const { rows } = await db.pool.query<PublishedRow>({
    name: 'load-published-rules',
    text: `select c.id, c.published_version as version, v.content_hash,
             c.guard_version is not distinct from c.published_version as is_guarded
           from rule_configurations c
           left join rule_versions v on v.configuration_id = c.id and v.version = c.published_version
           where c.tenant_id = $1 and c.direction = $2`,
    values: [tenantId, direction],
  });
  const row = rows[0];
  if (!row) throw new Error('this tenant has no rule configuration');
  const found = row.content_hash && findCompiled(row.content_hash);
  const place = { tenantId, configurationId: row.id, direction };
  const compiled = found ?? (await compiledVersion(db, place, row.version));
  return { configurationId: row.id, version: row.version, compiled, isGuarded: row.is_guarded };
}

interface ConfigurationRef {
  tenantId: string;
  configurationId: string;
  direction: Direction;
}

/** Any version in its compiled form, 0 included. Throws not_found. */
export async function compiledVersion(
  db: Database,
  place: ConfigurationRef,
  version: number,
): Promise<CompiledRules> {
  if (version === 0) return compiledOf(emptyRuleSet(place.direction));
  const { ruleSet, contentHash } = await getVersion(db, place, version);
  return compiledOf(ruleSet, contentHash);
}
