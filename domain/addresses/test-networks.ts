import { base58xmr, base64 } from '@scure/base';
import type { AddressFormat } from '../blockchains.ts';
import { decodeBase58Check } from './base58.ts';
import { isByronTest } from './cardano.ts';
import { decodeCashAddr } from './cashaddr.ts';
import { base58Bytes } from './decoded.ts';
import { isHederaTest } from './hedera.ts';

/** How addresses of test networks differ from those of the main network. Hex of version bytes, and bech32 prefixes. */
interface TestNetwork {
  versions?: readonly string[];
  prefixes?: readonly string[];
  /** For what neither shows. */
  isTest?: (address: string) => boolean;
}

const CASHADDR_TEST = ['bchtest', 'bchreg'];
/** The bit of a user-friendly TON address that keeps it from being used on the main network. */
const TON_TEST = 0x80;
/** Accounts below the top-level accounts that only test networks have. */
const NEAR_TEST = /(?:^|\.)(?:testnet|betanet)$/;
const MONERO_TEST = [53, 63, 24, 36];

/** Formats that are missing write the addresses of all networks alike. */
const TEST_NETWORKS: Partial<Record<AddressFormat, TestNetwork>> = {
  BITCOIN: { versions: ['6f', 'c4'], prefixes: ['tb', 'bcrt'] },
  LITECOIN: { versions: ['6f', '3a', 'c4'], prefixes: ['tltc', 'rltc', 'tmweb'] },
  BITCOIN_CASH: {
    versions: ['6f', 'c4'],
    isTest: (address) => CASHADDR_TEST.includes(decodeCashAddr(address)?.prefix ?? ''),
  },
  DOGECOIN: { versions: ['71', 'c4'] },
  DASH: { versions: ['8c', '13'] },
  ZCASH: { versions: ['1d25', '1cba'], prefixes: ['textest', 'ztestsapling', 'utest'] },
  CARDANO: { prefixes: ['addr_test', 'stake_test'], isTest: isByronTest },
  HEDERA: { isTest: isHederaTest },
  NEAR: { isTest: (address) => NEAR_TEST.test(address) },
  XRP: { isTest: (address) => address.startsWith('T') },
  TON: { isTest: (address) => !address.includes(':') && (base64Head(address) & TON_TEST) !== 0 },
  MONERO: { isTest: (address) => MONERO_TEST.includes(base58Bytes(address, base58xmr)?.[0] ?? 0) },
};

/** Whether a valid address of this format belongs to a test network alone. */
export function isOfTestNetwork(format: AddressFormat, address: string): boolean {
  const { versions = [], prefixes = [], isTest } = TEST_NETWORKS[format] ?? {};
  const lower = address.toLowerCase();
  return (
    prefixes.some((prefix) => lower.startsWith(`${prefix}1`)) ||
    versions.includes(decodeBase58Check(address)?.version ?? '') ||
    isTest?.(address) === true
  );
}

function base64Head(address: string): number {
  return base64.decode(address.replaceAll('-', '+').replaceAll('_', '/'))[0] ?? 0;
}
