import { ENTITY_TYPES, type EntityType } from '../entity-types.ts';

export { ENTITY_TYPES, type EntityType };

export const RISK_SEVERITIES = ['low', 'medium', 'high'] as const;
export type RiskSeverity = (typeof RISK_SEVERITIES)[number];

/** Sources of entities: a tenant of this deployment, the bundled directory, or an operator's own entry. */
export const TENANT_SOURCE = 'TENANT';
export const BUNDLED_SOURCE = 'BUNDLED';
export const OPERATOR_SOURCE = 'OPERATOR';

/** Directory data of an institution; none of it is personal data. */
export interface EntityProfile {
  name: string;
  legalName: string | null;
  aliases: string[];
  type: EntityType;
  /** ISO 3166-1 alpha-2. */
  countries: string[];
  webpage: string | null;
  /** E-mail address for Travel Rule messages. */
  email: string | null;
  /** Domains of its e-mail addresses, in lower case and punycode. */
  emailDomains: string[];
  lei: string | null;
  registrationNumber: string | null;
  travelAddress: string | null;
  networks: string[];
}

export interface EntityRisk {
  /** 0 to 100, high is risky. */
  riskScore: number | null;
  riskSeverity: RiskSeverity;
  /** Null if the risk is only estimated from type and countries. */
  riskAssessedAt: Date | null;
}

export interface EntityRecord extends EntityProfile, EntityRisk {
  id: string;
  /** Whether it is a tenant of this deployment. */
  inNetwork: boolean;
  /** The entity that this one duplicates; null for a master. */
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
