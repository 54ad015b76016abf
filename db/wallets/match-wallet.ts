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
  /** An operator has attested that the address is this tenant's on the transfer's chain; without a chain, on any. */
  isAttested: boolean;
  /** Whether another tenant has the account as well, so that registering it shows nothing. */
  isContested: boolean;
  /** Folded names by which operators know the tenant: its name and aliases, and those of its duplicates. */
  names: string[];
}

// Whoever has the key of an account has it on all chains and in all spellings, so a registration and an attestation count
// against other tenants on any. $1 to $4 as above, $5 the sending tenant, $6 the account in every spelling.
// The join keeps the planner from reading all wallets when most of them are of one account.
const REGISTERED = `from unnest($6::text[]) as f(form) join wallets w on w.address_normal = f.form
  where w.status = 'CONFIRMED' and w.source <> 'DETECTED'`;
const ATTESTED = `from attested_addresses a where a.address_normal = any($6::text[])`;
const ATTESTED_HERE = `${ATTESTED} and ($2::text is null or a.blockchain_key = $2)`;

/** SQL: tenants other than the holder and the sender. In ranges, so that nobody's many tags are read one by one. */
const OTHERS = [
  'w.tenant_id < least(h.tenant_id, $5)',
  'w.tenant_id > least(h.tenant_id, $5) and w.tenant_id < greatest(h.tenant_id, $5)',
  'w.tenant_id > greatest(h.tenant_id, $5)',
];
const ANY_TAG = OTHERS.map(
  (range) => `exists (select ${REGISTERED} and coalesce(w.tag, '') <> '' and ${range})`,
).join(' or ');

/**
 * SQL over a holder `h`: another tenant has the account as well. Tenants may share an account of which each has tags of its
 * own: other tags do not contest the tag that the holder registered. Only an attestation contests an attested holder.
 */
const IS_CONTESTED = `case
  when h.is_attested then not h.has_tag and exists (select ${ATTESTED_HERE} and a.tenant_id not in (h.tenant_id, $5))
  else exists (select ${ATTESTED} and a.tenant_id <> h.tenant_id)
    or exists (select ${REGISTERED} and ${TAG_FITS('$3')} and w.tenant_id not in (h.tenant_id, $5))
    or (not h.has_tag and (${ANY_TAG}))
  end`;

// Materialized; otherwise the planner walks an index from tenant to tenant to get them in order.
const FIND_HOLDERS = `
  with matches as materialized (
    select w.tenant_id, bool_or(coalesce(w.tag, '') <> '') as has_tag from wallets w
    where w.address_normal = $1 and ${FITS} and w.status = 'CONFIRMED' and w.source <> 'DETECTED' and w.tenant_id <> $5
    group by w.tenant_id
  ), holders as materialized (
    select m.tenant_id, m.has_tag, exists (select ${ATTESTED_HERE} and a.tenant_id = m.tenant_id) as is_attested
    from matches m order by is_attested desc limit 2
  )
  select h.tenant_id as "tenantId", t.entity_id as "entityId", h.is_attested as "isAttested",
    ${IS_CONTESTED} as "isContested",
    array(
      select n.folded from (
        select t.entity_id as id union all select d.id from entities d where d.master_entity_id = t.entity_id
      ) e cross join lateral (
        select folded from entity_names where entity_id = e.id and kind <> 'LEGAL' limit ${MAX_NAMES}
      ) n
    ) as names
  from holders h cross join lateral (select entity_id from tenants where id = h.tenant_id limit 1) t
  order by h.is_attested desc`;

/**
 * The tenants other than `tenantId` that registered the destination themselves, as the transfer writes it; at most two,
 * attested ones first. With two holders the receiver is ambiguous. A DETECTED wallet routes nothing.
 */
export async function findHolders(
  db: Queryable,
  tenantId: string,
  destination: DestinationRef,
): Promise<DestinationHolder[]> {
  const { destination: address, destinationNormal } = destination;
  const forms = [...new Set([destinationNormal, address])].flatMap(accountForms);
  const values = [...matchValues(destination), tenantId, forms];
  const { rows } = await db.query<DestinationHolder>(FIND_HOLDERS, values);
  return rows;
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
