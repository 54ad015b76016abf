import type { ProviderCode } from './service-key.ts';

/**
 * Version of the vendors' blockchain codes below. Chains without a code are UNSUPPORTED, without a request. Taken from
 * the vendors' API descriptions; not tried against the live services.
 */
export const CHAIN_CODES_VERSION = 1;

const SHARED: Readonly<Record<string, string>> = {
  Bitcoin: 'BTC',
  Ethereum: 'ETH',
  'Ethereum Classic': 'ETC',
  Litecoin: 'LTC',
  'Bitcoin Cash': 'BCH',
  Dogecoin: 'DOGE',
  Dash: 'DASH',
  Zcash: 'ZEC',
  Tron: 'TRX',
  Solana: 'SOL',
  'XRP Ledger': 'XRP',
  Stellar: 'XLM',
  Cardano: 'ADA',
  Polkadot: 'DOT',
  'Cosmos Hub': 'ATOM',
  TON: 'TON',
  Algorand: 'ALGO',
  Tezos: 'XTZ',
  'BNB Smart Chain': 'BSC',
  Polygon: 'MATIC',
  Arbitrum: 'ARB',
  Optimism: 'OP',
  Base: 'BASE',
  'Avalanche C-Chain': 'AVAX',
};

const CODES: Record<Exclude<ProviderCode, 'builtin'>, Readonly<Record<string, string>>> = {
  amlbot: SHARED,
  crystal: SHARED,
  scorechain: {
    Bitcoin: 'BITCOIN',
    Ethereum: 'ETHEREUM',
    'Ethereum Classic': 'ETHEREUM_CLASSIC',
    Litecoin: 'LITECOIN',
    'Bitcoin Cash': 'BITCOINCASH',
    Dogecoin: 'DOGECOIN',
    Dash: 'DASH',
    Tron: 'TRON',
    Solana: 'SOLANA',
    'XRP Ledger': 'RIPPLE',
    Stellar: 'STELLAR',
    Tezos: 'TEZOS',
    'BNB Smart Chain': 'BSC',
    Polygon: 'POLYGON',
    Arbitrum: 'ARBITRUM',
    Optimism: 'OPTIMISM',
    Base: 'BASE',
    'Avalanche C-Chain': 'AVALANCHE',
  },
};

/** A vendor's code of a blockchain; undefined if it does not support the chain. */
export function chainCode(provider: keyof typeof CODES, blockchain: string): string | undefined {
  const codes = CODES[provider];
  return Object.hasOwn(codes, blockchain) ? codes[blockchain] : undefined;
}
