import { normalAddress } from '../../domain/address.ts';
import { DomainError } from '../../domain/errors.ts';
import { chainFields } from '../../domain/normalised-places.ts';
import type { PairChange, RecordChange } from '../../domain/transactions/change.ts';
import type { DestinationWallet } from '../../domain/transactions/exchanging/deliver-native.ts';
import { matchedAnew } from '../../domain/transactions/lifecycle/release.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import { type Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { changeAndRelateIn } from './relate-transfer.ts';
import {
  untilPaired,
  type ChangedTransaction,
  type PairRecords,
  type TransactionCommand,
} from '../transactions/change-transaction.ts';
import { detectWallet, findDestinationWallet } from '../wallets/match-wallet.ts';

/**
 * Like changeAndRelate, for a change of the blockchain: the receiver of a message has to own the destination on the new one.
 * `blockchain` is the new one as it was sent. Throws not_found, invalid_transition for a confirmation in the same change,
 * and what `decide` throws.
 */
export async function changeBlockchain(
  db: Database,
  command: TransactionCommand,
  { blockchain, hashNormal }: { blockchain: string | null; hashNormal: string | null | undefined },
): Promise<ChangedTransaction> {
  return await untilPaired(db, async (tx) => {
    // Before any row lock, as in a delivery: a wallet that is registered at the same time is found here, or finds this.
    await lockDestination(tx, command, blockchain);
    return await changeAndRelateIn(db, tx, { ...command, complete: rematchBoth(command.now) }, hashNormal);
  });
}

async function lockDestination(
  tx: Queryable,
  { tenantId, id }: TransactionCommand,
  blockchain: string | null,
): Promise<void> {
  const { rows } = await tx.query<{ destination: string; destination_normal: string; asset: string }>(
    'select destination, destination_normal, asset from transactions where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  const normals = rows.flatMap(({ destination, destination_normal: present, asset }) => {
    const next = normalAddress(chainFields(blockchain, asset).blockchain, destination);
    return next.ok ? [present, next.normal] : [present];
  });
  await lockRoutes(tx, [...new Set(normals)].map(destinationRoute));
}

function rematchBoth(now: Date) {
  return async (tx: Queryable, decided: PairChange, before: PairRecords): Promise<PairChange> => ({
    ...decided,
    own: await rematch(tx, before.own, decided.own, now),
    counterpart: await rematch(tx, before.counterpart, decided.counterpart, now),
  });
}

async function rematch(
  tx: Queryable,
  before: TransactionRecord | null,
  change: RecordChange | null,
  now: Date,
): Promise<RecordChange | null> {
  if (!before || !change || !isReceived(before) || isSameDestination(before, change.after)) return change;
  const wallet = await findOrDetect(tx, change.after, now);
  if (isConfirmedNow(before, change) && !wallet?.confirmed) throw unownedDestination();
  return matchedAnew(change, wallet);
}

function isConfirmedNow(before: TransactionRecord, { after }: RecordChange): boolean {
  return before.status !== 'CONFIRMED' && after.status === 'CONFIRMED';
}

function unownedDestination(): DomainError {
  return new DomainError(
    'invalid_transition',
    'Register the destination on its new blockchain first: until then the transaction can only be declined.',
    { members: { allowed: ['DECLINED'] } },
  );
}

function isReceived({ direction, pairId }: TransactionRecord): boolean {
  return direction === 'INCOMING' && pairId !== null;
}

function isSameDestination(before: TransactionRecord, after: TransactionRecord): boolean {
  return before.blockchainKey === after.blockchainKey && before.destinationNormal === after.destinationNormal;
}

/** The wallet of the new blockchain; for an open message a detected one, so that its tenant can confirm it. */
async function findOrDetect(
  tx: Queryable,
  received: TransactionRecord,
  now: Date,
): Promise<DestinationWallet | null> {
  const { tenantId, status } = received;
  const known = await findDestinationWallet(tx, tenantId, received);
  return known ?? (isFinal(status) ? null : await detectWallet(tx, { tenantId, destination: received, now }));
}
