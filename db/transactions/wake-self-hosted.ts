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
const WAITING = `t.status = 'PENDING' and t.sub_status in ('ROUTING', 'SCREENING', 'OWNERSHIP_UNCONFIRMED', 'WAITING')`;
// Whoever reviews one that is held must see the new name: a deposit is confirmed, or was before, when its review lets it pass.
const WAITING_OR_HELD = `((${WAITING}) or t.sub_status = 'ON_HOLD')`;

/** SQL: which of the transfers of a wallet; `isWoken` reads `transactions t` and the wallet `p`. */
interface Dependents {
  isOpen: string;
  isWoken: string;
}

/** A verification without proof changes only what rules read of it. */
const OPEN: Dependents = {
  isOpen: WAITING,
  isWoken: `t.blockchain_key = p.blockchain_key and (p.is_proven or t.sub_status <> 'OWNERSHIP_UNCONFIRMED')`,
};
/** A name is that of the owner on every chain, since whoever has the key of an account has it on all of them. */
const OPEN_OR_HELD: Dependents = { isOpen: WAITING_OR_HELD, isWoken: 'true' };

function dependentsSql({ isOpen, isWoken }: Dependents): string {
  const waits = `t.tenant_id = p.tenant_id and ${isOpen} and ${isWoken} and t.deleted_at is null`;
  return `
  t.id in (
    with proven as materialized (
      select * from unnest($2::uuid[], $3::text[], $4::text[], $5::bool[])
        as p(tenant_id, address_normal, blockchain_key, is_proven)
    )
    select t.id from proven p join transactions t on t.destination_normal = p.address_normal and ${waits}
      and t.direction = 'OUTGOING' and t.destination_type = 'NON_CUSTODIAL'
    union
    select t.id from proven p join transactions t on t.origin_normal = p.address_normal and ${waits}
      and t.direction = 'INCOMING' and t.origin_type = 'NON_CUSTODIAL'
  ) and ${isOpen} and t.deleted_at is null`;
}

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
  dependents: Dependents,
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
  return await wake(tx, { name, where: dependentsSql(dependents), values }, options);
}
