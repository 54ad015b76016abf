import { normalBech32 } from './addresses/bech32.ts';
import { normalCashAddr } from './addresses/cashaddr.ts';
import { looksLikeEvm } from './addresses/evm.ts';
import { FORMAT_RULES, type FormatRule } from './addresses/format-rules.ts';
import { normalEvidentMove } from './addresses/move.ts';
import { normalPolkadot } from './addresses/polkadot.ts';
import { normalTon } from './addresses/ton.ts';
import { tronOfHex } from './addresses/tron.ts';
import { classicOfX } from './addresses/xrp.ts';
import { transparentOfTex } from './addresses/zcash.ts';
import { findBlockchain } from './blockchains.ts';

type NormalAddress = { ok: true; normal: string } | { ok: false; message: string };

const PRINTABLE = /^[!-~]{1,256}$/;
const HEX_HASH = /^(?:0x)?[0-9a-f]+$/i;
const PREFIXED_32_BYTES = /^0x(?=[0-9a-f]{64}$)/;

/**
 * The one form in which spellings of an address are compared. `blockchain` is any name that `findBlockchain` knows.
 * For another name, or null when the chain is not known, formats that can be told by their shape and checksum get
 * the same normal form as with the chain named; anything else is kept as it is.
 */
export function normalAddress(blockchain: string | null, address: string): NormalAddress {
  if (!PRINTABLE.test(address)) {
    return { ok: false, message: 'must be 1 to 256 printable ASCII characters without spaces' };
  }
  const chain = blockchain === null ? undefined : findBlockchain(blockchain);
  if (chain) return applyRule(FORMAT_RULES[chain.addressFormat], chain.name, address);
  if (blockchain !== null) return { ok: true, normal: recognised(address) ?? address };
  // Some unlisted chains have a checksum of their own in mixed case, so only a nameless address must have Ethereum's.
  if (looksLikeEvm(address)) return applyRule(FORMAT_RULES.EVM, 'EVM', address);
  return { ok: true, normal: tronOfHex(address) ?? recognised(address) ?? address };
}

/**
 * The form in which transaction hashes are compared: hex in lower case, 32 bytes without the 0x that some chains
 * write and some do not. Other hashes (base58, base64) are case-sensitive and stay as they are.
 */
export function normalHash(hash: string): string {
  return HEX_HASH.test(hash) ? hash.toLowerCase().replace(PREFIXED_32_BYTES, '') : hash;
}

function applyRule(rule: FormatRule, chainName: string, address: string): NormalAddress {
  const normal = rule.normal(address);
  if (normal !== undefined) return { ok: true, normal };
  return { ok: false, message: `is not a valid ${chainName} address; expected ${rule.expected}` };
}

/** The normal form that an address tells by itself, chain or no chain. */
function recognised(address: string): string | undefined {
  if (looksLikeEvm(address)) return address.toLowerCase();
  return (
    normalEvidentMove(address) ??
    transparentOfTex(address) ??
    normalBech32(address) ??
    normalCashAddr(address) ??
    normalTon(address) ??
    classicOfX(address) ??
    normalPolkadot(address)
  );
}
