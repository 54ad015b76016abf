import type { AddressFormat } from '../blockchains.ts';
import { normalAlgorand } from './algorand.ts';
import { normalBase58Check, normalSolana } from './base58.ts';
import { normalBech32Of, normalCosmos, normalSegwit } from './bech32.ts';
import { normalCardano } from './cardano.ts';
import { normalBitcoinCash } from './cashaddr.ts';
import { normalEvm } from './evm.ts';
import { normalHedera } from './hedera.ts';
import { normalMonero } from './monero.ts';
import { normalMove } from './move.ts';
import { normalNear } from './near.ts';
import { normalPolkadot } from './polkadot.ts';
import { normalStellar } from './stellar.ts';
import { normalTon } from './ton.ts';
import { normalTron } from './tron.ts';
import { normalXrp } from './xrp.ts';
import { normalZcash } from './zcash.ts';

export interface FormatRule {
  /** The normal form; undefined if the text is not an address of this format. Never throws. */
  normal: (address: string) => string | undefined;
  /** Description of valid addresses for error messages. */
  expected: string;
}

const BASE58 = 'a base58 address with the right checksum';
const BECH32_OR_BASE58 = 'a bech32 or base58 address with the right checksum';

/** The rule of each format. Version bytes and prefixes cover main and test networks, which share one chain name. */
export const FORMAT_RULES: Record<AddressFormat, FormatRule> = {
  EVM: {
    normal: normalEvm,
    expected: '0x and 40 hex digits, in one case or with the right EIP-55 checksum',
  },
  BITCOIN: {
    normal: (address) =>
      normalSegwit(address, ['bc', 'tb', 'bcrt']) ??
      normalBase58Check(address, { '00': '00', '05': '05', '6f': '6f', c4: 'c4' }),
    expected: BECH32_OR_BASE58,
  },
  LITECOIN: {
    // Script addresses once had Bitcoin's versions (3…, 2…); they mean the same script as M… and Q….
    normal: (address) =>
      normalSegwit(address, ['ltc', 'tltc', 'rltc']) ??
      normalBech32Of(address, ['ltcmweb', 'tmweb']) ??
      normalBase58Check(address, { '30': '30', '32': '32', '05': '32', '6f': '6f', '3a': '3a', c4: '3a' }),
    expected: BECH32_OR_BASE58,
  },
  BITCOIN_CASH: {
    normal: normalBitcoinCash,
    expected: 'a CashAddr (with or without prefix) or base58 address with the right checksum',
  },
  DOGECOIN: {
    normal: (address) => normalBase58Check(address, { '1e': '1e', '16': '16', '71': '71', c4: 'c4' }),
    expected: BASE58,
  },
  DASH: {
    normal: (address) => normalBase58Check(address, { '4c': '4c', '10': '10', '8c': '8c', '13': '13' }),
    expected: BASE58,
  },
  ZCASH: {
    normal: normalZcash,
    expected: 'a transparent (t…, tex1…), Sapling (zs1…) or unified (u1…) address with the right checksum',
  },
  TRON: {
    normal: normalTron,
    expected: 'a base58 address (T…) with the right checksum, or 41 and 40 hex digits',
  },
  SOLANA: { normal: normalSolana, expected: 'the base58 text of 32 bytes' },
  XRP: {
    normal: normalXrp,
    expected:
      'a classic address (r…) or an X-address without a tag, with the right checksum; send a tag in its own field',
  },
  STELLAR: {
    normal: normalStellar,
    expected:
      'an account (G…) or contract (C…) with the right checksum; send the id of a muxed account (M…) as a tag',
  },
  CARDANO: {
    normal: normalCardano,
    expected: 'a Shelley (addr1…), stake (stake1…) or Byron address with the right checksum',
  },
  POLKADOT: { normal: normalPolkadot, expected: 'an SS58 address with the right checksum' },
  COSMOS: { normal: normalCosmos, expected: 'a bech32 account (cosmos1…) with the right checksum' },
  TON: { normal: normalTon, expected: 'a raw or user-friendly address with the right checksum' },
  ALGORAND: { normal: normalAlgorand, expected: '58 base32 characters with the right checksum' },
  NEAR: {
    normal: normalNear,
    expected: 'an account name of 2 to 64 lower-case characters, or an implicit account',
  },
  MOVE: { normal: normalMove, expected: '0x and up to 64 hex digits' },
  TEZOS: {
    // tz1 to tz4, KT1 and sr1.
    normal: (address) =>
      normalBase58Check(address, {
        '06a19f': '06a19f',
        '06a1a1': '06a1a1',
        '06a1a4': '06a1a4',
        '06a1a6': '06a1a6',
        '025a79': '025a79',
        '067c75': '067c75',
      }),
    expected: 'a base58 address (tz…, KT1… or sr1…) with the right checksum',
  },
  HEDERA: {
    normal: normalHedera,
    expected: 'shard.realm.number, with the right checksum if it has one, or 0x and 40 hex digits',
  },
  MONERO: {
    normal: normalMonero,
    expected:
      'a base58 account or subaddress with the right checksum; send the payment id of an integrated address as a tag',
  },
};
