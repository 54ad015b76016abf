import { isDeepStrictEqual } from 'node:util';
import type { Direction } from '../../domain/direction.ts';
import type { CounterpartyPolicy } from '../../domain/entities/counterparty.ts';
import { settingsOf, type Settings, type StoredSettings } from '../../domain/tenants/settings.ts';
import { POLICY } from '../counterparties/counterparty-row.ts';
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
  /** The other VASP with the tenant's policy for it; null where the directory does not know it. */
  counterparty: { entityId: string; policy: CounterpartyPolicy } | null;
}

type JudgedTransfer = Pick<JudgementBasis, 'tenantId' | 'direction'> & {
  counterpartyEntityId: string | null;
};

interface BasisRow {
  settings: StoredSettings;
  rules: number | null;
  policy: CounterpartyPolicy | null;
  lists: Record<string, number> | null;
}

/**
 * Whether a judgement still counts. No new version of a list becomes active between this and the end of the
 * transaction: a later one is compared with what is committed by then.
 */
export async function isCurrentBasis(tx: Queryable, basis: JudgementBasis): Promise<boolean> {
  await keepListVersions(tx);
  return await isUnchangedBasis(tx, basis);
}

/** Like isCurrentBasis, where the transaction keeps the versions of the lists already. */
export async function isUnchangedBasis(tx: Queryable, basis: JudgementBasis): Promise<boolean> {
  const { tenantId, direction, counterparty } = basis;
  const counterpartyEntityId = counterparty?.entityId ?? null;
  const now = await readBasis(tx, { tenantId, direction, counterpartyEntityId });
  const rulesStand = basis.rulesVersion === null || basis.rulesVersion === now.rulesVersion;
  const searched = basis.listVersions;
  const listsStand = Object.keys(searched).length === 0 || isDeepStrictEqual(searched, now.listVersions);
  const policyStands = counterparty?.policy === now.counterparty?.policy;
  return rulesStand && listsStand && policyStands && isDeepStrictEqual(basis.settings, now.settings);
}

/** What a judgement on a tenant's transaction would rest on now. Throws when there is no such tenant. */
export async function readBasis(
  db: Queryable,
  { tenantId, direction, counterpartyEntityId }: JudgedTransfer,
): Promise<JudgementBasis> {
  const { rows } = await db.query<BasisRow>({
    name: 'read-judgement-basis',
    text: `select t.settings,
        (select c.published_version from rule_configurations c where c.tenant_id = t.id and c.direction = $2) as rules,
        (select ${POLICY} from entities d join entities e on e.id = coalesce(d.master_entity_id, d.id)
         where d.id = $3) as policy,
        (select json_object_agg(l.code, l.version) from sanctions_versions l where l.state = 'ACTIVE') as lists
      from tenants t where t.id = $1`,
    values: [tenantId, direction, counterpartyEntityId],
  });
  const row = rows[0];
  if (!row) throw new Error('the tenant of a transaction is missing');
  const { settings, rules, lists, policy } = row;
  return {
    tenantId,
    direction,
    settings: settingsOf(settings),
    listVersions: lists ?? {},
    rulesVersion: rules,
    counterparty:
      counterpartyEntityId !== null && policy !== null ? { entityId: counterpartyEntityId, policy } : null,
  };
}
