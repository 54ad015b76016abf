import { isDeepStrictEqual } from 'node:util';
import type { Direction } from '../../domain/direction.ts';
import { settingsOf, type Settings, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { WalletKey } from '../../domain/transactions/self-hosted-wallet.ts';
import type { Queryable } from '../postgres.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import { counterpartyNamesSql } from '../transactions/compared-names.ts';
import {
  counterpartyDuplicatesSql,
  counterpartySql,
  suppressionRemovedSql,
  verificationSql,
  type StoredFacts,
} from './stored-facts.ts';

/** What a judgement on a transaction rests on, beside the record itself: it counts only while all of this stands. */
export interface JudgementBasis extends StoredFacts {
  tenantId: string;
  direction: Direction;
  settings: Settings;
  /** The version of each sanctions list that was searched; empty where nothing could be compared. */
  listVersions: Readonly<Record<string, number>>;
  /** The published version of the tenant's rules; null where no rules were evaluated. */
  rulesVersion: number | null;
  /** The wallet that `verification` is of; null where none counts. */
  wallet: WalletKey | null;
}

type JudgedTransfer = Pick<JudgementBasis, 'tenantId' | 'direction'> & {
  counterpartyEntityId: string | null;
  wallet?: WalletKey | null;
};

interface BasisRow extends StoredFacts {
  settings: StoredSettings;
  rules: number | null;
  lists: Record<string, number> | null;
}

/**
 * Whether a judgement still counts. No new version of a list becomes active, and no false positive of the tenant ends, between
 * this and the end of the transaction: a later one is compared with what is committed by then.
 */
export async function isCurrentBasis(tx: Queryable, basis: JudgementBasis): Promise<boolean> {
  await keepComparisons(tx, [basis.tenantId]);
  return await isUnchangedBasis(tx, basis);
}

/** Like isCurrentBasis, where the transaction keeps the lists and the tenant's false positives already. */
export async function isUnchangedBasis(tx: Queryable, basis: JudgementBasis): Promise<boolean> {
  const { tenantId, direction, counterparty, wallet, settings } = basis;
  const counterpartyEntityId = counterparty?.entityId ?? null;
  const now = await readBasis(tx, { tenantId, direction, counterpartyEntityId, wallet });
  const rulesStand = basis.rulesVersion === null || basis.rulesVersion === now.rulesVersion;
  const searched = basis.listVersions;
  const listsStand = Object.keys(searched).length === 0 || isDeepStrictEqual(searched, now.listVersions);
  const others = { ...storedFactsOf(basis), settings };
  const othersNow = { ...storedFactsOf(now), settings: now.settings };
  return rulesStand && listsStand && isDeepStrictEqual(others, othersNow);
}

/** The stored facts alone. */
export function storedFactsOf({
  counterparty,
  counterpartyNames,
  counterpartyDuplicateIds,
  verification,
  suppressionRemovedAt,
}: StoredFacts): StoredFacts {
  return { counterparty, counterpartyNames, counterpartyDuplicateIds, verification, suppressionRemovedAt };
}

/** What a judgement on a tenant's transaction would rest on now. Throws when there is no such tenant. */
export async function readBasis(
  db: Queryable,
  { tenantId, direction, counterpartyEntityId, wallet = null }: JudgedTransfer,
): Promise<JudgementBasis> {
  const { rows } = await db.query<BasisRow>({
    name: 'read-judgement-basis',
    text: `select t.settings, ${suppressionRemovedSql},
        (select c.published_version from rule_configurations c where c.tenant_id = t.id and c.direction = $2) as rules,
        ${counterpartySql('$3')} as counterparty,
        ${counterpartyNamesSql('$3')} as "counterpartyNames",
        ${counterpartyDuplicatesSql('$3')} as "counterpartyDuplicateIds",
        ${verificationSql('$4', '$5')} as verification,
        (select json_object_agg(l.code, l.version) from sanctions_versions l where l.state = 'ACTIVE') as lists
      from tenants t where t.id = $1`,
    values: [tenantId, direction, counterpartyEntityId, wallet?.addressNormal, wallet?.blockchainKey],
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
    ...storedFactsOf(row),
    wallet,
  };
}
