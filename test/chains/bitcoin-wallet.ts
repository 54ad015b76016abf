import { secp256k1 } from '@noble/curves/secp256k1.js';
import { schnorr } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { hex } from '@scure/base';
import { Address, OutScript, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK, Transaction } from '@scure/btc-signer';

/** Kinds of addresses with one key: old, wrapped, witness, taproot. */
export const WALLET_KINDS = ['p2pkh', 'p2sh', 'p2wpkh', 'p2tr'] as const;
type WalletKind = (typeof WALLET_KINDS)[number];

const NETWORK = { ...TEST_NETWORK, bech32: 'bcrt' };

/** A key with its address on a test network. */
export interface BitcoinWallet {
  kind: WalletKind;
  address: string;
  script: Uint8Array;
  secret: Uint8Array;
}

/** An output that can be spent. */
export interface Coin {
  hash: string;
  index: number;
  units: bigint;
  owner: BitcoinWallet;
  /** The whole transaction, which old inputs are signed with. */
  raw: Uint8Array;
}

/** The same name has the same key. */
export function bitcoinWallet(kind: WalletKind, name: string): BitcoinWallet {
  const secret = sha256(new TextEncoder().encode(`${kind} ${name}`));
  const payment = paymentOf(kind, secret);
  return { kind, secret, address: payment.address ?? '', script: payment.script };
}

/** A witness address whose key nobody has; it takes no curve to make. */
export function strangeAddress(name: string): string {
  const hash = sha256(new TextEncoder().encode(name)).slice(0, 20);
  return Address(NETWORK).encode({ type: 'wpkh', hash });
}

/** The address of an output's script; undefined where it has none. */
export function addressOfScript(script: Uint8Array): string | undefined {
  const decoded = OutScript.decode(script);
  const hasAddress = ['pkh', 'sh', 'wpkh', 'wsh', 'tr'].includes(decoded.type);
  return hasAddress ? Address(NETWORK).encode(decoded) : undefined;
}

function paymentOf(kind: WalletKind, secret: Uint8Array) {
  const key = secp256k1.getPublicKey(secret, true);
  if (kind === 'p2pkh') return p2pkh(key, NETWORK);
  if (kind === 'p2wpkh') return p2wpkh(key, NETWORK);
  if (kind === 'p2tr') return p2tr(schnorr.getPublicKey(secret), undefined, NETWORK);
  return p2sh(p2wpkh(key, NETWORK), NETWORK);
}

/** A signed transaction that spends these coins; what is left over is the fee. */
export function signedTransaction(
  coins: readonly Coin[],
  outputs: readonly { address: string; units: bigint }[],
): { raw: Uint8Array; hash: string; prevouts: readonly Uint8Array[] } {
  const transaction = new Transaction();
  for (const coin of coins) {
    const spent = { txid: coin.hash, index: coin.index };
    const { owner } = coin;
    if (owner.kind === 'p2pkh') transaction.addInput({ ...spent, nonWitnessUtxo: coin.raw });
    else transaction.addInput({ ...paymentOf(owner.kind, owner.secret), ...spent, ...witnessOf(coin) });
  }
  for (const { address, units } of outputs) transaction.addOutputAddress(address, units, NETWORK);
  coins.forEach(({ owner }, index) => transaction.signIdx(owner.secret, index));
  transaction.finalize();
  const prevouts = coins.map(({ owner }) => owner.script);
  return { raw: hex.decode(transaction.hex), hash: transaction.id, prevouts };
}

function witnessOf({ owner, units }: Coin) {
  return { witnessUtxo: { script: owner.script, amount: units } };
}
