import { nameOneVasp } from '../../entities/vasp-names.ts';
import type { TransactionRecord } from '../record.ts';

/** Whether a new record is a receiver's own of a transfer whose hash it knows, which a message may be of as well. */
export function isOwnRecordOfTransfer({
  direction,
  hashNormal,
}: Pick<TransactionRecord, 'direction' | 'hashNormal'>): boolean {
  return direction === 'INCOMING' && hashNormal !== null;
}

/** The originator VASP of a message. */
export interface MessageSender {
  entityId: string;
  /** Its name and aliases, as operators set them. */
  names: readonly string[];
}

/** Whether the originator VASP that a tenant's own record names is the sender; UNNAMED: it names none. */
export type SenderFit = 'NAMED' | 'UNNAMED' | 'OTHER';

/**
 * Compares the originator VASP that a record names with the sender of a message. `resolvedEntityId` is the entity of
 * that name; null where the name identifies nobody, so that the names are compared.
 */
export function senderFit(
  named: string | null,
  resolvedEntityId: string | null,
  sender: MessageSender,
): SenderFit {
  if (named === null) return 'UNNAMED';
  if (resolvedEntityId !== null) return resolvedEntityId === sender.entityId ? 'NAMED' : 'OTHER';
  return sender.names.some((name) => nameOneVasp(named, name)) ? 'NAMED' : 'OTHER';
}

/** A record of the same chain, hash, destination and asset as the transfer that is looked for. */
export interface TransferCandidate {
  record: TransactionRecord;
  fit: SenderFit;
}

/**
 * The record of the same transfer; undefined when there is none. Of several the one with the equal amount wins, then the
 * one whose VASPs fit, then the oldest. With another amount it is the same transfer only if the VASPs fit.
 */
export function bestCandidate<T extends TransferCandidate>(
  candidates: readonly T[],
  amount: string | null,
): T | undefined {
  const rank = ({ record, fit }: T) => {
    const amounts = record.amount === amount ? 0 : record.amount === null || amount === null ? 1 : 2;
    return amounts * 2 + (fit === 'NAMED' ? 0 : 1);
  };
  const isOtherAmount = (candidate: T) => candidate.fit === 'UNNAMED' && rank(candidate) > 3;
  return candidates
    .filter((candidate) => candidate.fit !== 'OTHER' && !isOtherAmount(candidate))
    .toSorted((one, other) => rank(one) - rank(other) || age(one) - age(other))[0];
}

function age({ record }: TransferCandidate): number {
  return record.createdAt.getTime();
}
