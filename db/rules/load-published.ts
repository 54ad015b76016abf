import type { CompiledRules } from '../../domain/rules/compile.ts';
import { emptyRuleSet } from '../../domain/rules/configuration.ts';
import type { Direction } from '../../domain/direction.ts';
import type { Database } from '../database.ts';
import { compiledOf, findCompiled } from './compiled-rules.ts';
import { getVersion } from './versions.ts';

/** The rules that apply to a direction now. */
export interface PublishedRules {
  configurationId: string;
  /** 0 before the first publication: only the default decision of the direction. */
  version: number;
  compiled: CompiledRules;
  /** True when the guard has turned the version's blocks into reviews. */
  isGuarded: boolean;
}

interface PublishedRow {
  id: string;
  version: number;
  content_hash: Buffer | null;
  is_guarded: boolean;
}

/**
 * Loads the rules that a tenant has published for a direction. The version is read from the database each time; its
 * content never changes, so the compiled rules are cached.
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
  const ref = { tenantId, configurationId: row.id, direction };
  const compiled = found ?? (await compiledVersion(db, ref, row.version));
  return { configurationId: row.id, version: row.version, compiled, isGuarded: row.is_guarded };
}

interface ConfigurationRef {
  tenantId: string;
  configurationId: string;
  direction: Direction;
}

/** The compiled rules of any version, 0 included. Throws not_found. */
export async function compiledVersion(
  db: Database,
  ref: ConfigurationRef,
  version: number,
): Promise<CompiledRules> {
  if (version === 0) return compiledOf(emptyRuleSet(ref.direction));
  const { ruleSet, contentHash } = await getVersion(db, ref, version);
  return compiledOf(ruleSet, contentHash);
}
