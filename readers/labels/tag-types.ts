import type { EntityType } from '../../domain/entity-types.ts';

/** Grows by one with every change of the tables below: an imported TagPack says by which it was read. */
export const TAG_TYPES_VERSION = 1;

/** Words of TagPacks for what somebody did; these count more than what somebody is. */
const ABUSES: Readonly<Record<string, EntityType>> = {
  child_abuse: 'child_abuse',
  csam: 'child_abuse',
  dark_web: 'darkweb',
  extortion: 'scam',
  fraud: 'scam',
  investment_fraud: 'scam',
  phishing: 'phishing',
  ponzi_scheme: 'scam',
  pyramid_scheme: 'scam',
  ransomware: 'ransomware',
  sanction: 'sanction_list',
  scam: 'scam',
  service_hack: 'hack',
  sextortion: 'scam',
  terrorism: 'terrorism',
  theft: 'hack',
};

/** Words of TagPacks for what somebody is. */
const CATEGORIES: Readonly<Record<string, EntityType>> = {
  atm: 'atm',
  black_list: 'suspicious',
  bot: 'bot',
  coinjoin: 'mixing_service',
  defi: 'decentralized_service',
  defi_bridge: 'cross_chain_bridge_protocol',
  defi_dex: 'dex',
  defi_lending: 'decentralized_service',
  donation: 'donations',
  exchange: 'exchange',
  faucet: 'service',
  gambling: 'gambling',
  hosted_wallet: 'wallet',
  hosting: 'service',
  market: 'darkweb',
  miner: 'mining_pool',
  mining_service: 'mining_pool',
  mixing_service: 'mixing_service',
  nft_marketplace: 'nft_marketplace',
  organization: 'service',
  payment_processor: 'payment_service_provider',
  service: 'service',
  shop: 'service',
  wallet_service: 'wallet',
};

/** Where a pack leaves category and abuse out, or says only that it is somebody, its own words still tell. */
const BY_LABEL: readonly (readonly [RegExp, EntityType])[] = [
  [/\bsanctions? list\b|\bofac\b/i, 'sanction_list'],
  [/\blazarus\b/i, 'sanction_list'],
  [/\bransom|\blockbit/i, 'ransomware'],
  [/\bcoinjoin\b/i, 'mixing_service'],
  [/\bfraud\b|\bscam\b|\bponzi\b/i, 'scam'],
  [/\bhack(?:er|ed)?\b|\bhiding\b|etherhiding/i, 'hack'],
  [/\bsatoshi(?:dice|bones)\b/i, 'gambling'],
];

/** The type of a tag by its abuse, else its category, else its label; undefined if none of them has one. */
export function tagType(
  label: string,
  category: string | null,
  abuse: string | null,
): EntityType | undefined {
  const type = wordOf(ABUSES, abuse) ?? wordOf(CATEGORIES, category);
  return type ?? BY_LABEL.find(([pattern]) => pattern.test(label))?.[1];
}

function wordOf(words: Readonly<Record<string, EntityType>>, word: string | null): EntityType | undefined {
  return word !== null && Object.hasOwn(words, word) ? words[word] : undefined;
}
