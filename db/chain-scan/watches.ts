import { hashPartyKey } from '../../domain/chain-scan/hash-recipient.ts';
import { partyKey } from '../../domain/chain-scan/party-key.ts';
import { watchableAsset, type ScanChain, type WatchableAsset } from '../../domain/chain-scan/scan-chain.ts';
import { amountRange, fromUnits, toUnits } from '../../domain/verifications/satoshi/amount.ts';
import { armedFrom, satoshiDeadline } from '../../domain/verifications/satoshi-window.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';
import { freeAmount, type WatchedTransfer } from './free-amount.ts';

const MAX_ATTEMPTS = 10;

/** A new verification that allows SATOSHI_TEST. Addresses in normal form; without an amount, a free one is chosen. */
export interface NewWatch {
  verificationId: string;
  tenantId: string;
  asset: string;
  addressNormal: string;
  depositNormal: string;
  amount: string | null;
  /** Whether blocks count whose time is a little before the creation. */
  looksBack: boolean;
  /** The chain's height at the creation; null while unknown. Without `looksBack`, only later blocks count. */
  fromHeight: number | null;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Makes the scanner watch for the transfer from the verification's creation on. Call it in the transaction that
 * stores the verification. Returns the amount, exact and canonical. Throws RangeError for an asset, address or amount
 * that the chain cannot carry; requests with those are refused earlier.
 */
export async function armWatch(tx: Queryable, chain: ScanChain, watch: NewWatch): Promise<string> {
  const asset = watchableAsset(chain, watch.asset);
  if (!asset) throw new RangeError('this asset cannot be watched');
  const transfer = watchedTransfer(chain, asset, watch);
  if (watch.amount !== null) {
    const units = toUnits(watch.amount, asset.decimals);
    await insertWatch(tx, { chain, watch, transfer, units, generated: false });
    return fromUnits(units, asset.decimals);
  }
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const units = await freeAmount(tx, transfer, amountRange(chain, asset));
    // Another verification of the same wallet may have reserved the amount at the same moment.
    if (await insertWatch(tx, { chain, watch, transfer, units, generated: true })) {
      return fromUnits(units, asset.decimals);
    }
  }
  throw new Error('no amount could be reserved');
}

interface WatchInsertion {
  chain: ScanChain;
  watch: NewWatch;
  transfer: WatchedTransfer;
  units: bigint;
  generated: boolean;
}

/** Stores a watch. False when its generated amount is taken. */
async function insertWatch(
  tx: Queryable,
  { chain, watch, transfer, units, generated }: WatchInsertion,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into satoshi_watches (verification_id, tenant_id, chain, asset, sender, recipient, place, units,
       generated, armed_from, deadline, looks_back, from_height, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 'OPEN')
     on conflict (tenant_id, chain, recipient, asset, sender, units) where state <> 'DONE' and generated do nothing`,
    [
      watch.verificationId,
      watch.tenantId,
      transfer.chain,
      transfer.asset,
      transfer.sender,
      transfer.recipient,
      hashPartyKey(transfer.recipient),
      units.toString(),
      generated,
      armedFrom(chain, watch.createdAt),
      satoshiDeadline(watch),
      watch.looksBack,
      watch.looksBack ? null : watch.fromHeight,
    ],
  );
  return rowCount === 1;
}

/**
 * Records that the owner has sent the transfer: from now on observed transfers decide. Throws verification_expired
 * when the scan has passed the deadline.
 */
export async function submitWatch(tx: Queryable, verificationId: string, now: Date): Promise<void> {
  // The verification is locked first, as everywhere that changes both.
  const { rowCount } = await tx.query(
    `with locked as materialized (select id from verifications where id = $1 for no key update)
     update satoshi_watches w set submitted_at = coalesce(w.submitted_at, $2) from locked
     where w.verification_id = locked.id and w.state <> 'DONE'`,
    [verificationId, now],
  );
  if (rowCount === 0) throw new DomainError('verification_expired', 'The time for a transfer is over.');
}

/**
 * Sets the height from which on blocks count for watches that could not learn it at their creation: what the chain has
 * now does not count.
 */
export async function pinHeights(db: Queryable, chain: string, height: number): Promise<void> {
  await db.query(
    `update satoshi_watches set from_height = $2
     where chain = $1 and state = 'OPEN' and not looks_back and from_height is null`,
    [chain, height],
  );
}

/** Closes the watches of verifications that accept no more proofs. */
export async function closeWatches(tx: Queryable, verificationIds: readonly string[]): Promise<void> {
  if (verificationIds.length === 0) return;
  await tx.query(
    `update satoshi_watches set state = 'DONE' where verification_id = any($1::uuid[]) and state <> 'DONE'`,
    [verificationIds],
  );
}

/**
 * SQL over the verification `v`: a submitted satoshi test whose deadline the chain has not reached. Do not mark it as
 * expired: the scanner does so once it has passed the deadline. `scanned` is the parameter with the chains that this
 * deployment scans; any other delays the expiry by a week, in case its settings come back.
 */
export const waitsForChain = (scanned: string) => `exists (select 1 from satoshi_watches w
  where w.verification_id = v.id and w.state <> 'DONE' and w.submitted_at is not null
    and (w.chain = any(${scanned}::text[]) or w.deadline > now() - interval '7 days'))`;

function watchedTransfer(chain: ScanChain, asset: WatchableAsset, watch: NewWatch): WatchedTransfer {
  const sender = partyKey(chain, watch.addressNormal);
  const recipient = partyKey(chain, watch.depositNormal);
  if (sender === undefined || recipient === undefined)
    throw new RangeError('an address is none of this chain');
  return { tenantId: watch.tenantId, chain: chain.name, asset: asset.key, sender, recipient };
}
