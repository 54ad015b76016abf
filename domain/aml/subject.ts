import { normalHash } from '../address.ts';
import type { Blockchain } from '../blockchains.ts';
import { invalidField } from '../errors.ts';
import { addressAt, blockchainAt } from '../normalised-places.ts';
import { isHashOf } from '../transaction-hash.ts';
import type { AmlSubject, AmlDirection } from './finding.ts';

/** The subject of a wallet check. Throws validation_failed for an unknown chain or a malformed address. */
export function walletSubject({ blockchain, address }: { blockchain: string; address: string }): AmlSubject {
  const chain = blockchainAt('/blockchain', blockchain);
  const value = addressAt('/address', chain.name, address);
  return { kind: 'wallet', blockchain: chain.name, value, direction: null, contextAddress: null };
}

export interface TransactionCheckInput {
  blockchain: string;
  txHash: string;
  address?: string | undefined;
  direction?: AmlDirection | undefined;
}

/** The subject of a transaction check. Throws validation_failed. */
export function transactionSubject(input: TransactionCheckInput): AmlSubject {
  const chain = blockchainAt('/blockchain', input.blockchain);
  const { address, direction = null } = input;
  return {
    kind: 'transaction',
    blockchain: chain.name,
    value: requireHash(chain, input.txHash),
    direction,
    contextAddress: address === undefined ? null : addressAt('/address', chain.name, address),
  };
}

/** A hash in the form used on its chain. */
export function hashOn({ addressFormat }: Blockchain, hash: string): string {
  return addressFormat === 'EVM' ? `0x${normalHash(hash)}` : normalHash(hash);
}

function requireHash(chain: Blockchain, text: string): string {
  if (isHashOf(chain, text)) return hashOn(chain, text);
  throw invalidField('/txHash', 'hash_invalid', `This is not a transaction hash of ${chain.name}.`);
}
