import type { EntityType } from '../entity-types.ts';

/**
 * Risk of funds that come directly from an entity of a type, 0 to 100. Used for the built-in provider's scores and for
 * the severity of vendors' categories.
 */
const RISK_OF_TYPE: Record<EntityType, number> = {
  exchange: 10,
  bank: 10,
  decentralized_service: 40,
  donations: 35,
  gambling: 55,
  investment_management_firm: 10,
  mining_pool: 10,
  mixing_service: 85,
  service: 40,
  staking_pool: 10,
  wallet: 20,
  payment_service_provider: 10,
  nft_marketplace: 20,
  sanction_list: 100,
  dex: 20,
  atm: 55,
  bot: 40,
  airdrop: 20,
  auctioned_assets: 20,
  block_reward: 10,
  child_abuse: 100,
  cloud_mining: 35,
  community_reported_scam: 85,
  cross_chain_bridge_protocol: 40,
  darkweb: 85,
  hack: 85,
  ico: 40,
  ignored_small_amounts: 35,
  large_transaction: 40,
  large_unnamed_entity: 40,
  no_entities_found: 40,
  mixing_pattern: 75,
  ongoing_legal_action: 60,
  payment_channel: 20,
  peeling_chain_unknown_origin: 60,
  phishing: 85,
  poisoning: 85,
  ransomware: 100,
  real_world_asset: 20,
  scam: 85,
  secondary_coin_creation: 20,
  secondary_coin_removal: 20,
  seized_assets: 60,
  suspicious: 70,
  terrorism: 100,
  token: 35,
  unspent_output: 35,
};

/** The risk score of an entity type, 0 to 100. */
export function riskOfType(type: EntityType): number {
  return RISK_OF_TYPE[type];
}

export function isEntityType(text: string): text is EntityType {
  return Object.hasOwn(RISK_OF_TYPE, text);
}
