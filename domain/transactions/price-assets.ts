/** CoinGecko's coin ids by ticker: of every native asset of the built-in chains, and of some tokens. */
export const PRICE_IDS: Record<string, string> = {
  BTC: 'bitcoin',
  ETH: 'ethereum',
  USDT: 'tether',
  USDC: 'usd-coin',
  EURC: 'euro-coin',
  DAI: 'dai',
  BNB: 'binancecoin',
  XRP: 'ripple',
  SOL: 'solana',
  ADA: 'cardano',
  DOGE: 'dogecoin',
  TRX: 'tron',
  DOT: 'polkadot',
  LTC: 'litecoin',
  BCH: 'bitcoin-cash',
  DASH: 'dash',
  ZEC: 'zcash',
  XLM: 'stellar',
  AVAX: 'avalanche-2',
  POL: 'polygon-ecosystem-token',
  ATOM: 'cosmos',
  TON: 'the-open-network',
  ALGO: 'algorand',
  NEAR: 'near',
  APT: 'aptos',
  SUI: 'sui',
  MNT: 'mantle',
  XDAI: 'xdai',
  CELO: 'celo',
  CRO: 'crypto-com-chain',
  S: 'sonic-3',
  ETC: 'ethereum-classic',
  XTZ: 'tezos',
  HBAR: 'hedera-hashgraph',
  XMR: 'monero',
  LINK: 'chainlink',
  UNI: 'uniswap',
};

/** An asset of a configured chain, with its id in the price source if the deployment gives one. */
interface PricedAsset {
  readonly asset: string;
  readonly priceId?: string | undefined;
}

/** The assets of a configured chain, its native asset first. */
export function assetsOf(chain: {
  readonly nativeAsset: string;
  readonly priceId?: string | undefined;
  readonly tokens: readonly PricedAsset[];
}): PricedAsset[] {
  return [{ asset: chain.nativeAsset, priceId: chain.priceId }, ...chain.tokens];
}

/** The ids to ask the price source for, by ticker: those above, and instead or beside them those of the deployment. */
export function priceIdsWith(assets: readonly PricedAsset[]): Record<string, string> {
  const own = assets.flatMap(({ asset, priceId }) => (priceId ? [[asset.toUpperCase(), priceId]] : []));
  return { ...PRICE_IDS, ...(Object.fromEntries(own) as Record<string, string>) };
}

/** Round prices for trying things out, [USD, EUR] per unit. Used by the sandbox when no price source is set. */
export const SANDBOX_PRICES: Record<string, readonly [usd: string, eur: string]> = {
  BTC: ['100000', '90000'],
  ETH: ['4000', '3600'],
  USDT: ['1', '0.9'],
  USDC: ['1', '0.9'],
  EURC: ['1.11', '1'],
  DAI: ['1', '0.9'],
  BNB: ['900', '810'],
  XRP: ['2', '1.8'],
  SOL: ['200', '180'],
  ADA: ['0.5', '0.45'],
  DOGE: ['0.2', '0.18'],
  TRX: ['0.3', '0.27'],
  LTC: ['100', '90'],
  BCH: ['500', '450'],
  AVAX: ['20', '18'],
  POL: ['0.2', '0.18'],
  DOT: ['4', '3.6'],
  DASH: ['50', '45'],
  ZEC: ['200', '180'],
  XLM: ['0.3', '0.27'],
  ATOM: ['4', '3.6'],
  TON: ['3', '2.7'],
  ALGO: ['0.2', '0.18'],
  NEAR: ['2', '1.8'],
  APT: ['4', '3.6'],
  SUI: ['3', '2.7'],
  MNT: ['1', '0.9'],
  XDAI: ['1', '0.9'],
  CELO: ['0.3', '0.27'],
  CRO: ['0.1', '0.09'],
  S: ['0.2', '0.18'],
  ETC: ['20', '18'],
  XTZ: ['0.6', '0.54'],
  HBAR: ['0.2', '0.18'],
  XMR: ['300', '270'],
};
