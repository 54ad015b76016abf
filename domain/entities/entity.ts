import { ENTITY_TYPES, type EntityType } from '../entity-types.ts';

export { ENTITY_TYPES, type EntityType };

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
