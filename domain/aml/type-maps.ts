import { isEntityType } from './type-risk.ts';
import type { EntityType } from '../entity-types.ts';

/** Raised whenever the type of a vendor's category changes. */
export const TYPE_MAPS_VERSION = 1;

/** Crystal's signal names, which AMLBot also uses. */
const CRYSTAL_SIGNALS: Readonly<Record<string, EntityType>> = {
  atm: 'atm',
  child_exploitation: 'child_abuse',
  dark_market: 'darkweb',
  dark_service: 'darkweb',
  enforcement_action: 'ongoing_legal_action',
  exchange: 'exchange',
  exchange_fraudulent: 'scam',
  exchange_licensed: 'exchange',
  exchange_mlrisk_high: 'suspicious',
  exchange_mlrisk_low: 'exchange',
  exchange_mlrisk_moderate: 'exchange',
  exchange_mlrisk_veryhigh: 'suspicious',
  exchange_unlicensed: 'suspicious',
  gambling: 'gambling',
  illegal_service: 'darkweb',
  infrastructure_as_a_service: 'service',
  liquidity_pools: 'dex',
  marketplace: 'payment_service_provider',
  miner: 'mining_pool',
  mixer: 'mixing_service',
  other: 'service',
  p2p_exchange_licensed: 'exchange',
  p2p_exchange_mlrisk_high: 'suspicious',
  p2p_exchange_mlrisk_low: 'exchange',
  p2p_exchange_unlicensed: 'suspicious',
  payment: 'payment_service_provider',
  ransom: 'ransomware',
  sanctions: 'sanction_list',
  scam: 'scam',
  seized_assets: 'seized_assets',
  smart_contract: 'decentralized_service',
  stolen_coins: 'hack',
  terrorism_financing: 'terrorism',
  token: 'token',
  unidentified_service: 'large_unnamed_entity',
  unnamed_service: 'large_unnamed_entity',
  wallet: 'wallet',
};

/** Scorechain's entity types with names that differ from ours. */
const SCORECHAIN_TYPES: Readonly<Record<string, EntityType>> = {
  bridge: 'cross_chain_bridge_protocol',
  centralized_exchange: 'exchange',
  child_abuse_material: 'child_abuse',
  darknet: 'darkweb',
  dark_web: 'darkweb',
  decentralized_exchange: 'dex',
  defi: 'decentralized_service',
  donation: 'donations',
  exploit: 'hack',
  fund: 'investment_management_firm',
  hacker: 'hack',
  mixer: 'mixing_service',
  mixing: 'mixing_service',
  nft: 'nft_marketplace',
  no_entity_found: 'no_entities_found',
  payment_processor: 'payment_service_provider',
  payment_service: 'payment_service_provider',
  ransom: 'ransomware',
  sanctioned: 'sanction_list',
  sanction: 'sanction_list',
  sanctions: 'sanction_list',
  seized: 'seized_assets',
  staking: 'staking_pool',
  stolen: 'hack',
  stolen_funds: 'hack',
  terrorism_financing: 'terrorism',
};

const MAPS = { amlbot: CRYSTAL_SIGNALS, crystal: CRYSTAL_SIGNALS, scorechain: SCORECHAIN_TYPES } as const;

/** The entity type of a vendor's category name. An unmapped name becomes `service`, with `isKnown` false. */
export function typeOfWord(
  provider: keyof typeof MAPS,
  word: string,
): { type: EntityType; isKnown: boolean } {
  const folded = word
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
  const map = MAPS[provider];
  const mapped = Object.hasOwn(map, folded) ? map[folded] : undefined;
  if (mapped) return { type: mapped, isKnown: true };
  return isEntityType(folded) ? { type: folded, isKnown: true } : { type: 'service', isKnown: false };
}
