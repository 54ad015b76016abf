/** What an entity can be; the words are those of the interface. */
export const ENTITY_TYPES = [
  'exchange',
  'bank',
  'decentralized_service',
  'donations',
  'gambling',
  'investment_management_firm',
  'mining_pool',
  'mixing_service',
  'service',
  'staking_pool',
  'wallet',
  'payment_service_provider',
  'nft_marketplace',
  'sanction_list',
  'dex',
  'atm',
  'bot',
  'airdrop',
  'auctioned_assets',
  'block_reward',
  'child_abuse',
  'cloud_mining',
  'community_reported_scam',
  'cross_chain_bridge_protocol',
  'darkweb',
  'hack',
  'ico',
  'ignored_small_amounts',
  'large_transaction',
  'large_unnamed_entity',
  'no_entities_found',
  'mixing_pattern',
  'ongoing_legal_action',
  'payment_channel',
  'peeling_chain_unknown_origin',
  'phishing',
  'poisoning',
  'ransomware',
  'real_world_asset',
  'scam',
  'secondary_coin_creation',
  'secondary_coin_removal',
  'seized_assets',
  'suspicious',
  'terrorism',
  'token',
  'unspent_output',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const RISK_SEVERITIES = ['low', 'medium', 'high'] as const;
export type RiskSeverity = (typeof RISK_SEVERITIES)[number];

/** Where an entity came from: a tenant of this deployment, the bundled directory, or an operator's own word. */
export const TENANT_SOURCE = 'TENANT';
export const BUNDLED_SOURCE = 'BUNDLED';
export const OPERATOR_SOURCE = 'OPERATOR';

/** What a directory says of an institution; nothing in it is personal data. */
export interface EntityProfile {
  name: string;
  legalName: string | null;
  aliases: string[];
  type: EntityType;
  /** ISO 3166-1 alpha-2. */
  countries: string[];
  webpage: string | null;
  /** Where Travel Rule messages may be sent to by e-mail. */
  email: string | null;
  lei: string | null;
  registrationNumber: string | null;
  travelAddress: string | null;
  networks: string[];
}

export interface EntityRisk {
  /** 0..100, high is risky. */
  riskScore: number | null;
  riskSeverity: RiskSeverity;
  /** Null: estimated from type and countries, assessed by nobody. */
  riskAssessedAt: Date | null;
}

export interface EntityRecord extends EntityProfile, EntityRisk {
  id: string;
  /** Whether it is a tenant of this deployment. */
  inNetwork: boolean;
  /** The entity that this one is a duplicate of; a master has none. */
  masterEntityId: string | null;
  source: string;
  sourceId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface EntityDuplicate {
  id: string;
  name: string;
}

export interface DetailedEntityRecord extends EntityRecord {
  duplicates: EntityDuplicate[];
}
