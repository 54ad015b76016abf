import { senderFit, type SenderFit } from '../../../../domain/transactions/exchanging/own-record-match.ts';
import {
  partRecords,
  relateRecords,
  type RelatedChanges,
} from '../../../../domain/transactions/exchanging/relate-records.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { SENDER, type Side } from './commands.ts';

const sender = { entityId: 'entity-1', names: [SENDER] };

/** Whether a receiver's own record is of the transfer of a message, and names its sender; null where it is not. */
export function fitOf(
  own: TransactionRecord,
  message: TransactionRecord,
): Exclude<SenderFit, 'OTHER'> | null {
  const isFree = own.pairId === null && own.deletedAt === null;
  if (!isFree || !isSameTransfer(own, message)) return null;
  const fit = senderFit(own.personal.vaspInfo.originatorVaspName, null, sender);
  return fit === 'OTHER' ? null : fit;
}

/** One transfer on its chain: a record without a hash is not known to be. A chain that is not given fits any. */
function isSameTransfer(one: TransactionRecord, other: TransactionRecord): boolean {
  const isSameChain =
    one.blockchainKey === null || other.blockchainKey === null || one.blockchainKey === other.blockchainKey;
  const isSameHash = one.hashNormal !== null && one.hashNormal === other.hashNormal;
  return isSameHash && isSameChain && one.destinationNormal === other.destinationNormal;
}

interface PatchedRecords {
  message: TransactionRecord;
  own: TransactionRecord;
  /** The own record before the patch. */
  before: TransactionRecord | null;
  side: Side;
  body: Record<string, unknown>;
  now: Date;
}

/** What follows for both records from a patch of the hash, the chain or the originator VASP; null if nothing. */
export function relatedChanges({
  message,
  own,
  before,
  side,
  body,
  now,
}: PatchedRecords): RelatedChanges | null {
  if (!names(body, 'transactionHash', 'blockchain', 'originatorVaspName')) return null;
  const fit = message.status === 'CANCELLED' ? null : fitOf(own, message);
  if (fit) {
    const earlier = side === 'own' ? before : own;
    const wasRelated = earlier?.relatedTransactionId === message.id;
    const wasNamed = wasRelated && earlier.counterpartyEntityId === message.counterpartyEntityId;
    const fills = side === 'own' && wasRelated;
    return relateRecords(message, own, { isNamed: fit === 'NAMED', wasNamed, fills, now });
  }
  return side === 'own' && own.relatedTransactionId !== null ? partRecords(message, own, now) : null;
}

function names(body: object, ...fields: string[]): boolean {
  return fields.some((field) => JSON.stringify(body).includes(`"${field}"`));
}
