import type { DetailedEntityRecord, EntityRecord } from './entity.ts';
import { riskFactors } from './risk.ts';
import type { DetailedEntity, Entity, OperatorEntity, OperatorListedEntity } from './schema.ts';

export function viewEntity(entity: EntityRecord): Entity {
  return {
    id: entity.id,
    name: entity.name,
    legalName: entity.legalName,
    aliases: entity.aliases,
    type: entity.type,
    countries: entity.countries,
    webpage: entity.webpage,
    email: entity.email,
    emailDomains: entity.emailDomains,
    inNetwork: entity.inNetwork,
    networks: entity.networks,
    riskScore: entity.riskScore,
    riskSeverity: entity.riskSeverity,
    riskAssessedAt: entity.riskAssessedAt?.toISOString() ?? null,
    masterEntityId: entity.masterEntityId,
    lei: entity.lei,
    registrationNumber: entity.registrationNumber,
    travelAddress: entity.travelAddress,
    source: entity.source,
    createdAt: entity.createdAt.toISOString(),
    updatedAt: entity.updatedAt.toISOString(),
  };
}

export function viewDetailedEntity(entity: DetailedEntityRecord): DetailedEntity {
  return { ...viewEntity(entity), duplicates: entity.duplicates, riskFactors: riskFactors(entity) };
}

export function viewEntityForOperator(entity: DetailedEntityRecord): OperatorEntity {
  return { ...viewDetailedEntity(entity), sourceId: entity.sourceId };
}

export function viewListedForOperator(entity: EntityRecord): OperatorListedEntity {
  return { ...viewEntity(entity), sourceId: entity.sourceId };
}
