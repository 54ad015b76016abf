import { DomainError } from '../errors.ts';
import type { DetailedEntityRecord, EntityRecord, EntityRisk } from './entity.ts';
import { severityOf } from '../aml/severity.ts';
import { estimateRisk } from './risk.ts';
import type { CreateEntityBody, PatchEntityBody } from './schema.ts';

interface NewEntityInput {
  id: string;
  now: Date;
}

/** A new entity from an operator's request; its master is set separately. */
export function newEntity(body: CreateEntityBody, { id, now }: NewEntityInput): EntityRecord {
  const { type, countries = [] } = body;
  const profile = {
    name: body.name,
    legalName: body.legalName ?? null,
    aliases: body.aliases ?? [],
    type,
    countries,
    webpage: body.webpage ?? null,
    email: body.email ?? null,
    emailDomains: body.emailDomains ?? [],
    lei: body.lei ?? null,
    registrationNumber: body.registrationNumber ?? null,
    travelAddress: body.travelAddress ?? null,
    networks: body.networks ?? [],
  };
  return {
    id,
    ...profile,
    ...(assessedRisk(body, now) ?? estimateRisk({ type, countries, inNetwork: false })),
    inNetwork: false,
    masterEntityId: null,
    source: body.source,
    sourceId: body.sourceId ?? null,
    createdAt: now,
    updatedAt: now,
  };
}

interface GivenRisk {
  riskScore?: number | null | undefined;
  riskSeverity?: EntityRisk['riskSeverity'] | null | undefined;
  riskAssessedAt?: Date | null | undefined;
}

/** The risk assessed by an operator; undefined if none is given. A score without a severity gets the standard one. */
export function assessedRisk(given: GivenRisk, now: Date): EntityRisk | undefined {
  const riskScore = given.riskScore ?? null;
  const riskSeverity = given.riskSeverity ?? (riskScore === null ? undefined : severityOf(riskScore));
  if (riskSeverity === undefined) return undefined;
  return { riskScore, riskSeverity, riskAssessedAt: given.riskAssessedAt ?? now };
}

const OF_THE_TENANT = ['name'] as const;

/** Applies a patch: a value sets a field, null clears it, an absent field stays. Throws conflict for a tenant's name. */
export function patchEntity(before: EntityRecord, patch: PatchEntityBody, now: Date): EntityRecord {
  refuseTenantFields(before, patch);
  const { riskScore, riskSeverity, riskAssessedAt, masterEntityId: _set, ...profile } = patch;
  const present = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  const after: EntityRecord = { ...before, ...present, updatedAt: now };
  if (before.inNetwork)
    after.networks = ['NATIVE', ...after.networks.filter((network) => network !== 'NATIVE')];
  return { ...after, ...riskOf(after, { riskScore, riskSeverity, riskAssessedAt }, now) };
}

function refuseTenantFields({ inNetwork }: EntityRecord, patch: PatchEntityBody): void {
  if (!inNetwork || OF_THE_TENANT.every((field) => patch[field] === undefined)) return;
  throw new DomainError('conflict', 'The name of a tenant is changed with the tenant; add an alias here.');
}

function riskOf(entity: EntityRecord, given: GivenRisk, now: Date): EntityRisk {
  const isGiven = Object.values(given).some((value) => value !== undefined);
  if (!isGiven) return entity.riskAssessedAt === null ? estimateRisk(entity) : entity;
  const kept = entity.riskAssessedAt === null ? undefined : entity;
  const riskScore = given.riskScore === undefined ? kept?.riskScore : given.riskScore;
  // A new score has its own severity, unless one is given with it.
  const keptSeverity = typeof given.riskScore === 'number' ? undefined : kept?.riskSeverity;
  const riskSeverity = given.riskSeverity === undefined ? keptSeverity : given.riskSeverity;
  return (
    assessedRisk({ riskScore, riskSeverity, riskAssessedAt: given.riskAssessedAt }, now) ??
    estimateRisk(entity)
  );
}

/**
 * The id of an entity's new master. If the given `master` is a duplicate, its own master is used. Throws conflict for a
 * master that would form a cycle or hide a tenant.
 */
export function masterFor(entity: EntityRecord, master: EntityRecord): string {
  const masterId = master.masterEntityId ?? master.id;
  if (masterId === entity.id || master.id === entity.id) {
    throw new DomainError('conflict', 'The master is this entity itself or one of its duplicates.');
  }
  if (entity.inNetwork) {
    throw new DomainError('conflict', 'A tenant cannot be a duplicate: make the other entity its duplicate.');
  }
  return masterId;
}

/** Throws conflict for an entity that must not be deleted: a tenant, a bundled entity or one with duplicates. */
export function refuseDeletion({ inNetwork, source, duplicates }: DetailedEntityRecord): void {
  const because = inNetwork
    ? 'it is a tenant'
    : source === 'BUNDLED'
      ? 'the bundled directory would create it again: make it a duplicate instead'
      : duplicates.length > 0
        ? 'it has duplicates'
        : undefined;
  if (because) throw new DomainError('conflict', `The entity stays: ${because}.`);
}
