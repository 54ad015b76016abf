import { normalBech32 } from './addresses/bech32.ts';
import { normalCashAddr } from './addresses/cashaddr.ts';
import { looksLikeEvm } from './addresses/evm.ts';
import { FORMAT_RULES, type FormatRule } from './addresses/format-rules.ts';
import { normalEvidentMove } from './addresses/move.ts';
import { normalPolkadot } from './addresses/polkadot.ts';
import { isOfTestNetwork } from './addresses/test-networks.ts';
import { normalTon } from './addresses/ton.ts';
import { tronOfHex } from './addresses/tron.ts';
import { classicOfX } from './addresses/xrp.ts';
import { transparentOfTex } from './addresses/zcash.ts';
import { findBlockchain, isMainNetwork, refusesTestNetworks, type Blockchain } from './blockchains.ts';

type NormalAddress = { ok: true; normal: string } | { ok: false; message: string };

const PRINTABLE = /^[!-~]{1,256}$/;
const HEX_HASH = /^(?:0x)?[0-9a-f]+$/i;
const PREFIXED_32_BYTES = /^0x(?=[0-9a-f]{64}$)/;

/**
 * The normal form of an address, equal for all its spellings. `blockchain` is any name that `findBlockchain` knows. For
 * other names, or null, formats that are evident from shape and checksum get the same normal form as with their chain;
 * other addresses are kept unchanged.
 */
export function normalAddress(blockchain: string | null, address: string): NormalAddress {
  if (!PRINTABLE.test(address)) {
    return { ok: false, message: 'must be 1 to 256 printable ASCII characters without spaces' };
  }
  const chain = blockchain === null ? undefined : findBlockchain(blockchain);
  if (chain) return addressOn(chain, address);
  if (blockchain !== null) return { ok: true, normal: recognised(address) ?? address };
  // Some unlisted chains have a mixed-case checksum of their own, so Ethereum's is only required without a chain name.
  if (looksLikeEvm(address)) return applyRule(FORMAT_RULES.EVM, 'EVM', address);
  return { ok: true, normal: tronOfHex(address) ?? recognised(address) ?? address };
}

/**
 * The normal form of a transaction hash: hex in lower case, 32 bytes without 0x, which only some chains use. Other hashes
 * (base58, base64) are case-sensitive and stay unchanged.
 */
export function normalHash(hash: string): string {
  return HEX_HASH.test(hash) ? hash.toLowerCase().replace(PREFIXED_32_BYTES, '') : hash;
}

function addressOn(chain: Blockchain, address: string): NormalAddress {
  const checked = applyRule(FORMAT_RULES[chain.addressFormat], chain.name, address);
  const isRefused = refusesTestNetworks() && isMainNetwork(chain);
  if (!checked.ok || !isRefused || !isOfTestNetwork(chain.addressFormat, address)) return checked;
  return { ok: false, message: `is an address of a test network, not of ${chain.name}` };
}

function applyRule(rule: FormatRule, chainName: string, address: string): NormalAddress {
  const normal = rule.normal(address);
  if (normal !== undefined) return { ok: true, normal };
  return { ok: false, message: `is not a valid ${chainName} address; expected ${rule.expected}` };
}

/** The normal form of an address whose format is evident without its chain. */
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
