import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** A self-hosted wallet of which the tenant has a new verification, or a changed one. */
export interface VerifiedWallet {
  tenantId: string;
  addressNormal: string;
  blockchainKey: string;
  /** Whether a proof of ownership has just been accepted. */
  isProven: boolean;
  /** Whether it names an owner, who has to be compared with the lists although a reviewer has let the transfer pass. */
  namesOwner?: boolean;
}

// Two arms, since each has an index of its own. A proof counts only for the tenant that holds it. Transfers that are
// being decided are included: their row is locked, so either this statement waits for the decision, or the decision
// waits for it and is made again.
const WAITING = ['ROUTING', 'SCREENING', 'OWNERSHIP_UNCONFIRMED', 'WAITING'];
const isOpen = (t: string, subStatuses: readonly string[]) =>
  `${t}.status = 'PENDING' and ${t}.sub_status in ('${subStatuses.join("', '")}') and ${t}.deleted_at is null`;

/** SQL: the transfers of these wallets in one of these subStatuses. A verification without proof changes only what rules read of it. */
function dependents(subStatuses: readonly string[]): string {
  const waits = `o.tenant_id = p.tenant_id and o.blockchain_key = p.blockchain_key and ${isOpen('o', subStatuses)}
      and (p.is_proven or o.sub_status <> 'OWNERSHIP_UNCONFIRMED')`;
  return `
  t.id in (
    with proven as materialized (
      select * from unnest($2::uuid[], $3::text[], $4::text[], $5::bool[])
        as p(tenant_id, address_normal, blockchain_key, is_proven)
    )
    select o.id from proven p join transactions o on o.destination_normal = p.address_normal and ${waits}
      and o.direction = 'OUTGOING' and o.destination_type = 'NON_CUSTODIAL'
    union
    select o.id from proven p join transactions o on o.origin_normal = p.address_normal and ${waits}
      and o.direction = 'INCOMING' and o.origin_type = 'NON_CUSTODIAL'
  ) and ${isOpen('t', subStatuses)}`;
}

const OPEN = dependents(WAITING);
// Whoever reviews one that is held must see the new name: a deposit is confirmed by that review.
const OPEN_OR_HELD = dependents([...WAITING, 'ON_HOLD']);

/**
 * Wakes the tenant's transfers that wait for a proof of these wallets, or under a rule that may read the status of their
 * verification; where an owner is named, also those that are held. Runs in the database transaction that changes the verifications.
 */
export async function wakeSelfHosted(
  tx: Queryable,
  wallets: readonly VerifiedWallet[],
  now: Date,
): Promise<OutboxEntry[]> {
  const named = wallets.filter(({ namesOwner }) => namesOwner);
  const others = wallets.filter(({ namesOwner }) => !namesOwner);
  return [
    ...(await wakeAs(tx, others, OPEN, { screenAgain: 'UNLESS_REVIEWED', now })),
    ...(await wakeAs(tx, named, OPEN_OR_HELD, { screenAgain: 'AGAINST_LISTS', now })),
  ];
}

async function wakeAs(
  tx: Queryable,
  wallets: readonly VerifiedWallet[],
  where: string,
  options: Parameters<typeof wake>[2],
): Promise<OutboxEntry[]> {
  if (wallets.length === 0) return [];
  const values = [
    wallets.map((wallet) => wallet.tenantId),
    wallets.map((wallet) => wallet.addressNormal),
    wallets.map((wallet) => wallet.blockchainKey),
    wallets.map((wallet) => wallet.isProven),
  ];
  const name = `wake-self-hosted-${options.screenAgain.toLowerCase()}`;
  return await wake(tx, { name, where, values }, options);
}
