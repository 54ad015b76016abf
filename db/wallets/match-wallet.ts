import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { DestinationWallet } from '../../domain/transactions/exchanging/deliver-native.ts';
import type { Queryable } from '../postgres.ts';

type DestinationRef = Pick<
  TransactionRecord,
  'destination' | 'destinationNormal' | 'destinationTag' | 'blockchain' | 'blockchainKey' | 'asset'
>;

/** SQL over a wallet `w`: it has the given tag or none. Written so that an index can serve it. */
export const TAG_FITS = (tag: string) => `coalesce(w.tag, '') in ('', coalesce(${tag}, ''))`;
/** SQL over a wallet `w`: it is for the given asset or for all assets. */
export const ASSET_FITS = (asset: string) => `upper(w.asset) in ('*', upper(${asset}))`;

// SQL: a wallet matches a destination with the same blockchain (any when the transfer names none) and normalised
// address, the same tag or none, and the same asset or all assets. Parameters: $1 normalised address, $2 blockchain
// key, $3 tag, $4 asset.
const MATCHES = `w.address_normal = $1 and ($2::text is null or w.blockchain_key = $2)
  and ${TAG_FITS('$3')} and ${ASSET_FITS('$4')}`;

function matchValues(destination: DestinationRef): unknown[] {
  return [
    destination.destinationNormal,
    destination.blockchainKey,
    destination.destinationTag,
    destination.asset,
  ];
}

/** The tenant's own wallet for a destination; preferably a confirmed one. */
export async function findDestinationWallet(
  db: Queryable,
  tenantId: string,
  destination: DestinationRef,
): Promise<DestinationWallet | null> {
  const { rows } = await db.query<{ id: number; status: string }>({
    name: 'find-destination-wallet',
    text: `select w.id, w.status from wallets w where ${MATCHES} and w.tenant_id = $5
           order by (w.status = 'CONFIRMED') desc, w.id limit 1`,
    values: [...matchValues(destination), tenantId],
  });
  const wallet = rows[0];
  return wallet ? { id: wallet.id, confirmed: wallet.status === 'CONFIRMED' } : null;
}

/**
 * The tenants other than `tenantId` that registered the destination themselves, at most two: with two holders the
 * receiver is ambiguous. A DETECTED wallet routes nothing.
 */
export async function findHolders(
  db: Queryable,
  tenantId: string,
  destination: DestinationRef,
): Promise<string[]> {
  const { rows } = await db.query<{ tenant_id: string }>(
    // Materialized; otherwise the planner walks an index from tenant to tenant to get them in order.
    `with matches as materialized (
       select w.tenant_id from wallets w
       where ${MATCHES} and w.status = 'CONFIRMED' and w.source <> 'DETECTED' and w.tenant_id <> $5
     )
     select distinct tenant_id from matches limit 2`,
    [...matchValues(destination), tenantId],
  );
  return rows.map((row) => row.tenant_id);
}

interface DetectedWallet {
  tenantId: string;
  destination: DestinationRef;
  status: 'CONFIRMED' | 'UNCONFIRMED';
  now: Date;
}

/**
 * Inserts a wallet for an address that the tenant has never registered but that received a message; such a wallet
 * routes nothing.
 */
export async function insertDetectedWallet(
  db: Queryable,
  { tenantId, destination, status, now }: DetectedWallet,
): Promise<DestinationWallet> {
  const { rows } = await db.query<{ id: number; status: string }>(
    `insert into wallets
       (tenant_id, address, address_normal, tag, asset, blockchain, blockchain_key, status, source, created_at, updated_at,
        confirmed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $9, 'DETECTED', $8, $8,
       case when $9 = 'CONFIRMED' then $8::timestamptz end)
     on conflict (tenant_id, address_normal, blockchain_key, upper(asset), coalesce(tag, ''))
       do update set updated_at = wallets.updated_at
     returning id, status`,
    [
      tenantId,
      destination.destination,
      destination.destinationNormal,
      destination.destinationTag,
      destination.asset,
      destination.blockchain ?? 'UNKNOWN',
      destination.blockchainKey ?? 'unknown',
      now,
      status,
    ],
  );
  const wallet = rows[0];
  if (!wallet) throw new Error('the detected wallet was not stored');
  return { id: wallet.id, confirmed: wallet.status === 'CONFIRMED' };
}
