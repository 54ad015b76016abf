import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { finishReleaseBatch } from './finish-release.ts';
import { unseal, WAITS_FOR_WALLET } from '../transactions/unseal.ts';
import { ASSET_FITS, TAG_FITS } from './match-wallet.ts';
import type { Queryable } from '../postgres.ts';

interface ConfirmedWallet {
  tenantId: string;
  /** Wallets that are not CONFIRMED release nothing. */
  walletIds: readonly number[];
}

/** Up to this number of messages are finished in the transaction that confirms the wallet, more by a workflow. */
export const RELEASED_AT_ONCE = 50;

/**
 * Makes the personal data of messages visible that wait for wallets which are confirmed now: in one statement, so
 * that the next read shows it. Events, webhooks and search tokens follow, at once for few messages, otherwise by
 * workflow. Runs in the transaction that confirms the wallets, after it has locked their routes.
 */
export async function releaseByWallets(
  db: Database,
  tx: Queryable,
  { tenantId, walletIds }: ConfirmedWallet,
  now: Date,
): Promise<OutboxEntry[]> {
  const release = { id: newId(now), tenantId };
  const total = await unseal(tx, { chosen: FITS, walletIds }, release, now);
  if (total === 0) return [];
  if (total <= RELEASED_AT_ONCE)
    return (await finishReleaseBatch(db, tx, { release, limit: total, now })).outbox;
  await tx.query(
    'insert into wallet_releases (id, tenant_id, total, wake_at, created_at) values ($1, $2, $3, $4, $4)',
    [release.id, tenantId, total, now],
  );
  const summary = `Release after wallet confirmation: ${total}`;
  return await insertOutboxEntries(
    tx,
    [{ tenantId, workflow: 'walletRelease', subjectId: release.id, summary }],
    now,
  );
}

// The condition of match-wallet.ts, from the wallet's side. A message for which a wallet was detected belongs to that
// wallet in any case. Two arms, since each has an index of its own. A record that another wallet released stays with
// that wallet.
const FITS = `
  with confirmed as materialized (
    select id, address_normal, blockchain_key, tag, asset from wallets
    where tenant_id = $1 and id = any($2::bigint[]) and status = 'CONFIRMED'
  ), fits as (
    select t.id, w.id as wallet_id, true as is_detected
    from confirmed w join transactions t on t.destination_wallet_id = w.id and ${WAITS_FOR_WALLET}
    union all
    select t.id, w.id, false
    from confirmed w join transactions t on t.destination_normal = w.address_normal and ${WAITS_FOR_WALLET}
    where (t.blockchain_key is null or w.blockchain_key = t.blockchain_key)
      and ${TAG_FITS('t.destination_tag')} and ${ASSET_FITS('t.asset')}
  ), chosen as (
    select distinct on (id) id, wallet_id from fits order by id, is_detected desc, wallet_id
  ), ruled as (
    select exists (
      select 1 from rule_configurations where tenant_id = $1 and direction = 'INCOMING' and published_version > 0
    ) or exists (select 1 from counterparties where tenant_id = $1 and policy <> 'ALLOW') as is_ruled
  )
  select id, wallet_id, is_ruled from chosen cross join ruled`;
