import { newId } from '../new-id.ts';
import { insertOutboxEntries, type OutboxEntry } from '../outbox.ts';
import { chooseForRelease, WAITS_FOR_WALLET } from '../transactions/choose-for-release.ts';
import { ASSET_FITS, TAG_FITS } from './match-wallet.ts';
import type { WalletRelease } from './open-release.ts';
import type { Queryable } from '../postgres.ts';

interface ConfirmedWallet {
  tenantId: string;
  /** Wallets that are not CONFIRMED release nothing. */
  walletIds: readonly number[];
}

/** Up to this number of messages are released by whoever confirms the wallet, more by a workflow. */
export const RELEASED_AT_ONCE = 50;

/** A release that has begun. */
export interface BegunRelease {
  /** To be done by the caller as soon as the wallet is confirmed; null when there is none, or a workflow does it. */
  release: WalletRelease | null;
  outbox: OutboxEntry[];
}

/**
 * Begins the release of messages that wait for wallets which are confirmed now. Each is released with its verdict, which
 * is made after this transaction: few by the caller, many by a workflow. Whatever a crash leaves undone is found by the
 * sweep. Runs in the transaction that confirms the wallets, or in a later one, after it has locked their routes.
 */
export async function beginRelease(
  tx: Queryable,
  { tenantId, walletIds }: ConfirmedWallet,
  now: Date,
): Promise<BegunRelease> {
  const id = newId(now);
  const total = await chooseForRelease(tx, { chosen: FITS, walletIds }, { id, tenantId });
  if (total === 0) return { release: null, outbox: [] };
  const release = { id, tenantId, total };
  await tx.query(
    'insert into wallet_releases (id, tenant_id, total, wake_at, created_at) values ($1, $2, $3, $4, $4)',
    [id, tenantId, total, now],
  );
  if (total <= RELEASED_AT_ONCE) return { release, outbox: [] };
  return { release: null, outbox: await queueRelease(tx, release, now) };
}

/** Leaves a release to its workflow. */
export async function queueRelease(
  db: Queryable,
  { id, tenantId, total }: WalletRelease,
  now: Date,
): Promise<OutboxEntry[]> {
  const summary = `Release after wallet confirmation: ${total}`;
  return await insertOutboxEntries(
    db,
    [{ tenantId, workflow: 'walletRelease', subjectId: id, summary }],
    now,
  );
}

// The condition of match-wallet.ts, from the wallet's side. A message for which a wallet was detected belongs to that
// wallet in any case. Two arms, since each has an index of its own. A record that another wallet releases stays with
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
  )
  select distinct on (id) id, wallet_id from fits order by id, is_detected desc, wallet_id`;
