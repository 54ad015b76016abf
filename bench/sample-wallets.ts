import { createHash } from 'node:crypto';
import { base58, base58xrp, bech32, createBase58check } from '@scure/base';
import { getAddress } from 'viem/utils';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const base58check = createBase58check(sha256);

/** Bytes derived from a number: all runs have the same wallets, and the wallets of a run differ. */
function bytesOf(index: number, length: number): Uint8Array {
  return sha256(Buffer.from(`wallet ${index}`)).subarray(0, length);
}

function versioned(version: number, index: number): Uint8Array {
  return Uint8Array.from([version, ...bytesOf(index, 20)]);
}

/** An XRP Ledger address: base58check with the alphabet of the XRP Ledger. */
function xrpAddress(index: number): string {
  const payload = versioned(0, index);
  return base58xrp.encode(Uint8Array.from([...payload, ...sha256(sha256(payload)).subarray(0, 4)]));
}

function evmAddress(index: number): string {
  return getAddress(`0x${Buffer.from(bytesOf(index, 20)).toString('hex')}`);
}

/** A kind of wallet: blockchain, asset, tag, and the function that makes its address from a number. */
type WalletKind = [blockchain: string, asset: string, tag: string, address: (index: number) => string];

/** Half of the kinds are EVM with checksum addresses, like the wallets of exchanges. */
const KINDS: WalletKind[] = [
  ['Ethereum', '*', '', evmAddress],
  ['Polygon', 'USDC', '', evmAddress],
  ['Base', '*', '', evmAddress],
  ['BNB Smart Chain', 'USDT', '', evmAddress],
  ['Arbitrum', 'ETH', '', evmAddress],
  ['Bitcoin', 'BTC', '', (index) => bech32.encode('bc', [0, ...bech32.toWords(bytesOf(index, 20))])],
  ['Bitcoin', 'BTC', '', (index) => base58check.encode(versioned(0, index))],
  ['Tron', 'USDT', '', (index) => base58check.encode(versioned(0x41, index))],
  ['Solana', 'SOL', '', (index) => base58.encode(bytesOf(index, 32))],
  ['XRP Ledger', 'XRP', '70', xrpAddress],
];

/** A CSV file of `count` wallets on several chains, numbered from `first`, each with typical metadata. */
export function sampleWalletFile(first: number, count: number): Buffer {
  const lines = ['address,asset,blockchain,tag,metadata'];
  for (let index = first; index < first + count; index += 1) {
    const [blockchain, asset, tag, address] = KINDS[index % KINDS.length] ?? KINDS[0] ?? never();
    lines.push(`${address(index)},${asset},${blockchain},${tag},"Customer ${index}, deposit account"`);
  }
  return Buffer.from(`${lines.join('\n')}\n`);
}

function never(): never {
  throw new Error('there are no kinds of wallets');
}
