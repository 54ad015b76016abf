import { normalBase58Check, normalSolana, normalXrp } from './addresses/base58.ts';
import { normalBech32, normalBech32Of, normalSegwit } from './addresses/bech32.ts';
import { normalBitcoinCash, normalCashAddr } from './addresses/cashaddr.ts';
import { looksLikeEvm, normalEvm } from './addresses/evm.ts';
import { normalTon } from './addresses/ton.ts';
import { findBlockchain, type AddressFormat } from './blockchains.ts';

type NormalAddress = { ok: true; normal: string } | { ok: false; message: string };

interface FormatRule {
  /** The normal form; undefined when the text is no address of this format. */
  normal: (address: string) => string | undefined;
  expected: string;
}

const PRINTABLE = /^[!-~]{1,256}$/;
const MOVE_ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const FULL_MOVE_ADDRESS = /^0x[0-9a-f]{64}$/i;
const HEX_HASH = /^(?:0x)?[0-9a-f]+$/i;
const PREFIXED_32_BYTES = /^0x(?=[0-9a-f]{64}$)/;

const EVM_RULE: FormatRule = {
  normal: normalEvm,
  expected: '0x and 40 hex digits, in one case or with the right EIP-55 checksum',
};

/** Version bytes and prefixes are those of the chains' main and test networks: one name serves both. */
const RULES: Record<Exclude<AddressFormat, 'PRINTABLE'>, FormatRule> = {
  EVM: EVM_RULE,
  BITCOIN: {
    normal: (address) =>
      normalSegwit(address, ['bc', 'tb', 'bcrt']) ??
      normalBase58Check(address, { '00': '00', '05': '05', '6f': '6f', c4: 'c4' }),
    expected: 'a bech32 or base58 address with the right checksum',
  },
  LITECOIN: {
    // Scripts were once written with Bitcoin's versions (3…, 2…); the coin is the same as under M… and Q….
    normal: (address) =>
      normalSegwit(address, ['ltc', 'tltc', 'rltc']) ??
      normalBech32Of(address, ['ltcmweb', 'tmweb']) ??
      normalBase58Check(address, { '30': '30', '32': '32', '05': '32', '6f': '6f', '3a': '3a', c4: '3a' }),
    expected: 'a bech32 or base58 address with the right checksum',
  },
  BITCOIN_CASH: {
    normal: normalBitcoinCash,
    expected: 'a CashAddr (with or without prefix) or base58 address with the right checksum',
  },
  DOGECOIN: {
    normal: (address) => normalBase58Check(address, { '1e': '1e', '16': '16', '71': '71', c4: 'c4' }),
    expected: 'a base58 address with the right checksum',
  },
  DASH: {
    normal: (address) => normalBase58Check(address, { '4c': '4c', '10': '10', '8c': '8c', '13': '13' }),
    expected: 'a base58 address with the right checksum',
  },
  ZCASH: {
    normal: (address) =>
      normalBase58Check(address, { '1cb8': '1cb8', '1cbd': '1cbd', '1d25': '1d25', '1cba': '1cba' }) ??
      normalBech32Of(address, ['zs', 'u', 'tex', 'ztestsapling', 'utest', 'textest']),
    expected: 'a transparent (t…), Sapling (zs1…) or unified (u1…) address with the right checksum',
  },
  TRON: {
    normal: (address) => normalBase58Check(address, { '41': '41' }),
    expected: 'a base58 address (T…) with the right checksum',
  },
  SOLANA: { normal: normalSolana, expected: 'the base58 text of 32 bytes' },
  XRP: {
    normal: normalXrp,
    expected: 'a classic address (r…) with the right checksum; a tag is given separately',
  },
  TON: { normal: normalTon, expected: 'a raw or user-friendly address with the right checksum' },
  MOVE: { normal: normalMove, expected: '0x and up to 64 hex digits' },
};

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
  if (chain && chain.addressFormat !== 'PRINTABLE') {
    return applyRule(RULES[chain.addressFormat], chain.name, address);
  }
  // Some unlisted chains have a checksum of their own in mixed case, so only a nameless address must have Ethereum's.
  if (blockchain === null && looksLikeEvm(address)) return applyRule(EVM_RULE, 'EVM', address);
  return { ok: true, normal: recognised(address) ?? address };
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
  if (looksLikeEvm(address) || FULL_MOVE_ADDRESS.test(address)) return address.toLowerCase();
  return normalBech32(address) ?? normalCashAddr(address) ?? normalTon(address);
}

/** Aptos and Sui may leave out leading zeros. */
function normalMove(address: string): string | undefined {
  return MOVE_ADDRESS.test(address) ? `0x${address.slice(2).toLowerCase().padStart(64, '0')}` : undefined;
}
