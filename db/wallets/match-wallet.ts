import { accountForms } from '../../domain/transactions/viewing/list.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { DestinationWallet } from '../../domain/transactions/exchanging/deliver-native.ts';
import { feedEntries } from '../events/feed-entries.ts';
import type { Queryable } from '../postgres.ts';

type DestinationRef = Pick<
  TransactionRecord,
  'destination' | 'destinationNormal' | 'destinationTag' | 'blockchain' | 'blockchainKey' | 'asset'
>;

/** SQL over a wallet `w`: it has the given tag or none. Written so that an index can serve it. */
export const TAG_FITS = (tag: string) => `coalesce(w.tag, '') in ('', coalesce(${tag}, ''))`;
/** SQL over a wallet `w`: it is for the given asset or for all assets. */
export const ASSET_FITS = (asset: string) => `upper(w.asset) in ('*', upper(${asset}))`;

// SQL: a wallet matches a destination with the same blockchain (any when the transfer names none), the same tag or
// none, and the same asset or all assets. Parameters: $1 normalised address, $2 blockchain key, $3 tag, $4 asset.
const FITS = `($2::text is null or w.blockchain_key = $2) and ${TAG_FITS('$3')} and ${ASSET_FITS('$4')}`;

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
    text: `select w.id, w.status from wallets w where w.address_normal = $1 and ${FITS} and w.tenant_id = $5
           order by (w.status = 'CONFIRMED') desc, w.id limit 1`,
    values: [...matchValues(destination), tenantId],
  });
  const wallet = rows[0];
  return wallet ? { id: wallet.id, confirmed: wallet.status === 'CONFIRMED' } : null;
}

/** An institution has few names; with a limit, the planner looks each entity up. */
const MAX_NAMES = 100;

/** A tenant that registered a destination itself. */
export interface DestinationHolder {
  tenantId: string;
  entityId: string;
  /** An operator has attested that the address is this tenant's. */
  isAttested: boolean;
  /** It registered the destination as the transfer writes it, not only in the form of another chain. */
  isAsWritten: boolean;
  /** Folded names by which operators know the tenant: its name and aliases, and those of its duplicates. */
  names: string[];
}

/**
 * The tenants other than `tenantId` that registered the destination themselves, at most two, attested ones first: with
 * two holders the receiver is ambiguous. A transfer that names no chain also has those that registered the account in
 * the form of another chain. A DETECTED wallet routes nothing.
 */
export async function findHolders(
  db: Queryable,
  tenantId: string,
  destination: DestinationRef,
): Promise<DestinationHolder[]> {
  const { rows } = await db.query<{
    tenant_id: string;
    entity_id: string;
    is_attested: boolean;
    is_as_written: boolean;
    names: string[];
  }>(
    // Materialized; otherwise the planner walks an index from tenant to tenant to get them in order.
    `with matches as materialized (
       select w.tenant_id, w.address_normal = $1 as is_as_written from wallets w
       where w.address_normal = any($6::text[]) and ${FITS} and w.status = 'CONFIRMED' and w.source <> 'DETECTED' and w.tenant_id <> $5
     ), holders as materialized (
       select m.tenant_id, m.is_as_written, exists (
         select from attested_addresses a where a.address_normal = any($6::text[])
           and ($2::text is null or a.blockchain_key = $2) and a.tenant_id = m.tenant_id
       ) as is_attested
       from (select tenant_id, bool_or(is_as_written) as is_as_written from matches group by tenant_id) m
       order by is_attested desc limit 2
     )
     select h.tenant_id, t.entity_id, h.is_attested, h.is_as_written,
       array(
         select n.folded from (
           select t.entity_id as id union all select d.id from entities d where d.master_entity_id = t.entity_id
         ) e cross join lateral (
           select folded from entity_names where entity_id = e.id and kind <> 'LEGAL' limit ${MAX_NAMES}
         ) n
       ) as names
     from holders h cross join lateral (select entity_id from tenants where id = h.tenant_id limit 1) t
     order by h.is_attested desc`,
    [...matchValues(destination), tenantId, holderForms(destination)],
  );
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    entityId: row.entity_id,
    isAttested: row.is_attested,
    isAsWritten: row.is_as_written,
    names: row.names,
  }));
}

/** The forms in which holders may have registered a destination: one where the transfer names the chain. */
function holderForms({ destination, destinationNormal, blockchainKey }: DestinationRef): string[] {
  return blockchainKey === null ? accountForms(destination) : [destinationNormal];
}

interface DetectedWallet {
  tenantId: string;
  destination: DestinationRef;
  now: Date;
}

/**
 * Inserts a wallet for an address that the tenant has never registered but that received a message; such a wallet
 * routes nothing. A test VASP confirms every destination, and yet nothing is routed to it by address.
 */
export async function detectWallet(
  db: Queryable,
  { tenantId, destination, now }: DetectedWallet,
): Promise<DestinationWallet> {
  const { rows } = await db.query<{ id: number; status: string }>(
    `with detected as (
       insert into wallets
         (tenant_id, address, address_normal, tag, asset, blockchain, blockchain_key, status, source, created_at,
          updated_at, confirmed_at)
       select t.id, $2, $3, $4, $5, $6, $7, case when t.test_behaviour is null then 'UNCONFIRMED' else 'CONFIRMED' end,
         'DETECTED', $8::timestamptz, $8, case when t.test_behaviour is not null then $8::timestamptz end
       from tenants t where t.id = $1
       on conflict (tenant_id, address_normal, blockchain_key, upper(asset), coalesce(tag, ''))
         do update set updated_at = wallets.updated_at
       returning tenant_id, id, version, status, xmax = 0 as is_new
     ), logged as (
       ${feedEntries({ kind: 'WALLET', type: 'DETECTED', rows: 'detected where is_new', at: '$8' })}
     )
     select id, status from detected`,
    [
      tenantId,
      destination.destination,
      destination.destinationNormal,
      destination.destinationTag,
      destination.asset,
      destination.blockchain ?? 'UNKNOWN',
      destination.blockchainKey ?? 'unknown',
      now,
    ],
  );
  const wallet = rows[0];
  if (!wallet) throw new Error('the detected wallet was not stored');
  return { id: wallet.id, confirmed: wallet.status === 'CONFIRMED' };
}
