import { bytesToHex } from '@noble/hashes/utils.js';
import { destinationOf, witnessScript } from '../addresses/bitcoin-destination.ts';
import type { ScanChain } from './scan-chain.ts';

/**
 * An address in the form used in the blocks of its chain: lower case on EVM, the output script in hex on Bitcoin. `normal`
 * is the address in normal form. Undefined if blocks of the chain cannot contain the address.
 */
export function partyKey(
  chain: Pick<ScanChain, 'kind' | 'addressFormat'>,
  normal: string,
): string | undefined {
  if (chain.kind === 'EVM') return normal.toLowerCase();
  const destination = destinationOf(chain.addressFormat, normal);
  if (!destination) return undefined;
  const program = bytesToHex(destination.program);
  if (destination.kind === 'KEY_HASH') return `76a914${program}88ac`;
  if (destination.kind === 'SCRIPT_HASH') return `a914${program}87`;
  if (destination.kind !== 'WITNESS') return undefined;
  return bytesToHex(witnessScript(destination.version, destination.program));
}
