import { createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { concat, hexToBytes, keccak256, stringToBytes, toHex } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';

/** Signs as TronWeb's `signMessageV2`. */
export async function signTip191(privateKey: Uint8Array, message: string): Promise<Uint8Array> {
  const text = stringToBytes(message);
  const prefix = stringToBytes(`\x19TRON Signed Message:\n${text.length}`);
  const hash = keccak256(concat([prefix, text]));
  return hexToBytes(await sign({ hash, privateKey: toHex(privateKey), to: 'hex' }));
}

/** A Tron address is the EVM address of the key behind the byte 41. */
export function tronAddress(privateKey: Uint8Array): string {
  const evm = hexToBytes(privateKeyToAccount(toHex(privateKey)).address);
  return createBase58check(sha256).encode(Uint8Array.from([0x41, ...evm]));
}
