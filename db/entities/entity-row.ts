import type { EntityRecord, EntityType, RiskSeverity } from '../../domain/entities/entity.ts';

export interface EntityRow {
  id: string;
  name: string;
  legal_name: string | null;
  aliases: string[];
  type: EntityType;
  countries: string[];
  webpage: string | null;
  email: string | null;
  email_domains: string[];
  lei: string | null;
  registration_number: string | null;
  travel_address: string | null;
  in_network: boolean;
  networks: string[];
  risk_score: number | null;
  risk_severity: RiskSeverity;
  risk_assessed_at: Date | null;
  master_entity_id: string | null;
  source: string;
  source_id: string | null;
  created_at: Date;
  updated_at: Date;
}

export const ENTITY_COLUMNS = `id, name, legal_name, aliases, type, countries, webpage, email, email_domains, lei, registration_number,
  travel_address, in_network, networks, risk_score, risk_severity, risk_assessed_at, master_entity_id, source, source_id,
  created_at, updated_at`;

export function toEntity(row: EntityRow): EntityRecord {
  return {
    id: row.id,
    name: row.name,
    legalName: row.legal_name,
    aliases: row.aliases,
    type: row.type,
    countries: row.countries,
    webpage: row.webpage,
    email: row.email,
    emailDomains: row.email_domains,
    lei: row.lei,
    registrationNumber: row.registration_number,
    travelAddress: row.travel_address,
    inNetwork: row.in_network,
    networks: row.networks,
    riskScore: row.risk_score,
    riskSeverity: row.risk_severity,
    riskAssessedAt: row.risk_assessed_at,
    masterEntityId: row.master_entity_id,
    source: row.source,
    sourceId: row.source_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
