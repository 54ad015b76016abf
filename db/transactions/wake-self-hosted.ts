import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { wake } from './wake.ts';

/** A self-hosted wallet for which the tenant has just accepted a proof of ownership. */
export interface ProvenWallet {
  tenantId: string;
  addressNormal: string;
  blockchainKey: string;
}

// Two arms, since each has an index of its own. A proof counts only for the tenant that holds it. Transfers that are
// being decided are included: their row is locked, so either this statement waits for the decision or the decision
// waits for it.
const IS_OPEN = (t: string) =>
  `${t}.status = 'PENDING' and ${t}.sub_status in ('ROUTING', 'OWNERSHIP_UNCONFIRMED', 'WAITING') and ${t}.deleted_at is null`;
const WAITS = `o.tenant_id = p.tenant_id and o.blockchain_key = p.blockchain_key and ${IS_OPEN('o')}`;
const WAITS_FOR_PROOF = `
  t.id in (
    with proven as materialized (
      select * from unnest($2::uuid[], $3::text[], $4::text[]) as p(tenant_id, address_normal, blockchain_key)
    )
    select o.id from proven p join transactions o on o.destination_normal = p.address_normal and ${WAITS}
      and o.direction = 'OUTGOING' and o.destination_type = 'NON_CUSTODIAL'
    union
    select o.id from proven p join transactions o on o.origin_normal = p.address_normal and ${WAITS}
      and o.direction = 'INCOMING' and o.origin_type = 'NON_CUSTODIAL'
  ) and ${IS_OPEN('t')}`;

/**
 * Wakes the tenant's transfers that wait for a proof of these wallets. Runs in the database transaction that accepts
 * the proofs.
 */
export async function wakeSelfHosted(
  tx: Queryable,
  proven: readonly ProvenWallet[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (proven.length === 0) return [];
  const values = [
    proven.map((wallet) => wallet.tenantId),
    proven.map((wallet) => wallet.addressNormal),
    proven.map((wallet) => wallet.blockchainKey),
  ];
  return await wake(
    tx,
    { name: 'wake-self-hosted', where: WAITS_FOR_PROOF, values },
    { screenAgain: 'UNLESS_REVIEWED', now },
  );
}
