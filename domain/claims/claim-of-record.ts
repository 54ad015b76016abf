import { DomainError } from '../errors.ts';
import { isSelfHosted } from '../transactions/self-hosted-wallet.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { ClaimTransactionBody, CreateClaimBody } from './schema.ts';

/** The claim for the data of a deposit that the tenant has recorded. Throws conflict for a record that cannot be claimed. */
export function claimOfRecord(record: TransactionRecord, given: ClaimTransactionBody): CreateClaimBody {
  const { asset, blockchain, transactionHash, origin, originTag, destination, destinationTag } = record;
  const refusal = refusalOf(record);
  if (refusal !== null || blockchain === null || transactionHash === null)
    throw new DomainError(
      'conflict',
      refusal ?? 'A claim needs the transaction hash and the blockchain: PATCH them first.',
    );
  return {
    asset,
    blockchainInfo: {
      blockchain,
      transactionHash,
      ...(origin !== null && { origin }),
      ...(originTag !== null && { originTag }),
      destination,
      ...(destinationTag !== null && { destinationTag }),
    },
    ...given,
  };
}

/** Why nobody is asked for the data of a deposit from a self-hosted wallet. An answer would also end the wait for the owner's proof. */
export const SELF_HOSTED = 'The coins came from a self-hosted wallet: nobody else has their data.';

function refusalOf(record: TransactionRecord): string | null {
  if (record.direction === 'OUTGOING') return 'Only an INCOMING transaction is claimed.';
  if (record.pairId !== null) return 'The message of this transfer has arrived.';
  if (isSelfHosted(record)) return SELF_HOSTED;
  if (record.status === 'PENDING' || record.status === 'CONFIRMED') return null;
  return `A transaction that is ${record.status} is not claimed.`;
}
