import { canonicalDecimal } from '../../domain/decimal.ts';
import { settingsOf, type Settings, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { TransferContext } from '../../domain/transactions/deciding/facts.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  beneficiaryMatchOf,
  holderWalletOf,
  type BeneficiaryMatch,
} from '../../domain/transactions/beneficiary-match.ts';
import { isSelfHosted, selfHostedWallet } from '../../domain/transactions/self-hosted-wallet.ts';
import { rollingSumSql } from '../customer-sums/rolling-sum.ts';
import type { Database } from '../database.ts';
import { subjectTokenOf } from '../transactions/search-tokens.ts';
import { findDeclaredOwners } from '../verifications/find-declared-owners.ts';
import { openHolderNames } from '../wallet-holders/holder-names.ts';
import { counterpartyNamesSql } from '../transactions/compared-names.ts';
import {
  counterpartyDuplicatesSql,
  counterpartySql,
  suppressionRemovedSql,
  verificationSql,
  type StoredFacts,
} from './stored-facts.ts';

/** What the deployment's own tables hold about a transfer. */
export interface ScreeningContext extends TransferContext, StoredFacts {
  settings: Settings;
  /** The names under which the self-hosted wallet was declared to the tenant; empty for any other wallet. */
  declaredOwners: string[];
  /** The AML provider that the tenant has activated. */
  amlProvider: string | null;
  /** The lists that were active when the transfer became due for screening; older versions are not good enough. */
  activeLists: { code: string; version: number }[];
  /** WAIT rules whose time is over for this transfer. */
  spentRuleIds: string[];
  /** WAIT rules that still run, with the end of their time by rule id. */
  runningWaits: ReadonlyMap<string, Date>;
}

interface ContextRow extends StoredFacts {
  settings: StoredSettings;
  aml_provider: string | null;
  holder_name: Buffer | null;
  rolling: { count: number; known: string; isComplete: boolean } | null;
  spent: string[];
  waits: Record<string, string> | null;
  lists: { code: string; version: number }[] | null;
}

/**
 * SQL: the token of the customer; null if there is none. Within a select, since a plan that is made for null looks so much cheaper
 * than one for any token that PostgreSQL would plan the statement anew at each run, for three times as long as the run takes.
 */
const CUSTOMER = '(select $10::bigint)';

const ROLLING = rollingSumSql({
  tenantId: 't.id',
  token: CUSTOMER,
  direction: '$5',
  until: '$6',
  id: '$7',
  amountEur: '$11',
});

const READ = `
  select t.settings, ${suppressionRemovedSql},
    (select k.provider from service_keys k where k.tenant_id = t.id and k.feature = 'aml_check') as aml_provider,
    ${counterpartySql('$2')} as counterparty,
    ${counterpartyNamesSql('$2')} as "counterpartyNames",
    ${counterpartyDuplicatesSql('$2')} as "counterpartyDuplicateIds",
    ${verificationSql('$3', '$4')} as verification,
    (select w.holder_name from wallets w where w.tenant_id = t.id and w.id = $12::bigint) as holder_name,
    case when ${CUSTOMER} is not null then
      (${ROLLING}) end as rolling,
    (select coalesce(array_agg(distinct d.decided_by), '{}') from rule_decisions d
     where d.transaction_id = $7 and d.wait_until <= $8) as spent,
    (select json_object_agg(w.decided_by, w.until) from (
       select d.decided_by, max(d.wait_until) as until from rule_decisions d
       where d.transaction_id = $7 and d.wait_until > $8 group by d.decided_by) w) as waits,
    (select json_agg(json_build_object('code', l.code, 'version', l.version)) from sanctions_versions l
     where l.state = 'ACTIVE' and l.activated_at <= $9) as lists
  from tenants t where t.id = $1`;

/** Reads the screening context of a transfer. `entityId` is the counterparty's entity, if known. */
export async function readScreeningContext(
  db: Database,
  record: TransactionRecord,
  entityId: string | null,
  now: Date,
): Promise<ScreeningContext> {
  const wallet = selfHostedWallet(record);
  const keys = await db.vault.tenantKeys(record.tenantId);
  const { rows } = await db.pool.query<ContextRow>({
    name: 'read-screening-context',
    text: READ,
    values: [
      record.tenantId,
      entityId,
      wallet.addressNormal,
      wallet.blockchainKey,
      record.direction,
      record.createdAt,
      record.id,
      now,
      record.screeningDueSince ?? record.createdAt,
      subjectTokenOf(record, keys),
      record.amountEur,
      holderWalletOf(record),
    ],
  });
  const row = rows[0];
  if (!row) throw new Error('the tenant of a transfer is missing');
  return {
    settings: settingsOf(row.settings),
    declaredOwners: isSelfHosted(record)
      ? await findDeclaredOwners(db, db.pool, record.tenantId, wallet)
      : [],
    amlProvider: row.aml_provider,
    counterparty: row.counterparty,
    counterpartyNames: row.counterpartyNames,
    counterpartyDuplicateIds: row.counterpartyDuplicateIds,
    verification: row.verification,
    suppressionRemovedAt: row.suppressionRemovedAt,
    beneficiaryMatch: await matchOf(db, record, row.holder_name),
    rolling24h: rollingOf(row.rolling),
    activeLists: row.lists ?? [],
    spentRuleIds: row.spent,
    runningWaits: new Map(Object.entries(row.waits ?? {}).map(([id, until]) => [id, new Date(until)])),
  };
}

/** Null where the record does not say whose customer it is. */
function rollingOf(rolling: ContextRow['rolling']): TransferContext['rolling24h'] {
  if (!rolling) return null;
  const { count, known, isComplete } = rolling;
  return { count: String(count), knownEur: canonicalDecimal(known), isComplete };
}

async function matchOf(
  db: Database,
  record: TransactionRecord,
  holderName: Buffer | null,
): Promise<BeneficiaryMatch | null> {
  const walletId = holderWalletOf(record);
  if (walletId === null || holderName === null) return null;
  const row = { tenant_id: record.tenantId, wallet_id: walletId, holder_name: holderName };
  return beneficiaryMatchOf(record, (await openHolderNames(db, [row])).get(walletId));
}
