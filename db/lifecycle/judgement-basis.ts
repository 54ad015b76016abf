import { isDeepStrictEqual } from 'node:util';
import type { Direction } from '../../domain/direction.ts';
import { settingsOf, type Settings, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Queryable } from '../postgres.ts';
import { keepListVersions } from '../sanctions-lists/version-lock.ts';

/** What a judgement on a transaction rests on, beside the record itself: it counts only while all of this stands. */
export interface JudgementBasis {
  tenantId: string;
  direction: Direction;
  settings: Settings;
  /** The version of each sanctions list that was searched; empty where nothing could be compared. */
  listVersions: Readonly<Record<string, number>>;
  /** The published version of the tenant's rules; null where no rules were evaluated. */
  rulesVersion: number | null;
}

interface BasisRow {
  settings: StoredSettings;
  rules: number | null;
  lists: Record<string, number> | null;
}

/**
 * Whether a judgement still counts. No new version of a list becomes active between this and the end of the
 * transaction: a later one is compared with what is committed by then.
 */
export async function isCurrentBasis(tx: Queryable, basis: JudgementBasis): Promise<boolean> {
  await keepListVersions(tx);
  const now = await readBasis(tx, basis);
  const rulesStand = basis.rulesVersion === null || basis.rulesVersion === now.rulesVersion;
  const searched = basis.listVersions;
  const listsStand = Object.keys(searched).length === 0 || isDeepStrictEqual(searched, now.listVersions);
  return rulesStand && listsStand && isDeepStrictEqual(basis.settings, now.settings);
}

/** What a judgement on a tenant's transaction would rest on now. Throws when there is no such tenant. */
export async function readBasis(
  db: Queryable,
  { tenantId, direction }: Pick<JudgementBasis, 'tenantId' | 'direction'>,
): Promise<JudgementBasis> {
  const { rows } = await db.query<BasisRow>({
    name: 'read-judgement-basis',
    text: `select t.settings,
        (select c.published_version from rule_configurations c where c.tenant_id = t.id and c.direction = $2) as rules,
        (select json_object_agg(l.code, l.version) from sanctions_versions l where l.state = 'ACTIVE') as lists
      from tenants t where t.id = $1`,
    values: [tenantId, direction],
  });
  const row = rows[0];
  if (!row) throw new Error('the tenant of a transaction is missing');
  const { settings, rules, lists } = row;
  return {
    tenantId,
    direction,
    settings: settingsOf(settings),
    listVersions: lists ?? {},
    rulesVersion: rules,
  };
}
