import { DomainError } from '../errors.ts';
import type { DetailedEntityRecord, EntityRecord, EntityRisk } from './entity.ts';
import { estimateRisk, severityOf } from './risk.ts';
import type { CreateEntityBody, PatchEntityBody } from './schema.ts';

interface NewEntityInput {
  id: string;
  now: Date;
}

/** A new entity as its operator describes it; its master is set apart. */
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

/** What an operator says of the risk, or undefined: a score without a severity has the usual one. */
export function assessedRisk(given: GivenRisk, now: Date): EntityRisk | undefined {
  const riskScore = given.riskScore ?? null;
  const riskSeverity = given.riskSeverity ?? (riskScore === null ? undefined : severityOf(riskScore));
  if (riskSeverity === undefined) return undefined;
  return { riskScore, riskSeverity, riskAssessedAt: given.riskAssessedAt ?? now };
}

const OF_THE_TENANT = ['name'] as const;

/** A field sets, null clears, an absent field stays. Throws conflict for what a tenant says of itself. */
export function patchEntity(before: EntityRecord, patch: PatchEntityBody, now: Date): EntityRecord {
  refuseTenantFields(before, patch);
  const { riskScore, riskSeverity, riskAssessedAt, masterEntityId: _set, ...profile } = patch;
  const present = Object.fromEntries(Object.entries(profile).filter(([, value]) => value !== undefined));
  const after: EntityRecord = { ...before, ...present, updatedAt: now };
  if (before.inNetwork) after.networks = ['NATIVE', ...after.networks.filter((word) => word !== 'NATIVE')];
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
 * Refuses a master that would close a circle or hide a tenant. `master` is the record that was named; it may be a
 * duplicate itself, then its own master is meant. Throws conflict.
 */
export function masterFor(entity: EntityRecord, master: EntityRecord): string {
  const masterId = master.masterEntityId ?? master.id;
  if (masterId === entity.id || master.id === entity.id) {
    throw new DomainError('conflict', 'The master is this entity itself or one of its duplicates.');
  }
  if (entity.inNetwork) {
    throw new DomainError('conflict', 'A tenant stands for itself: make the other entity its duplicate.');
  }
  return masterId;
}

/** Refuses to delete what is still needed. Throws conflict. */
export function refuseDeletion({ inNetwork, source, duplicates }: DetailedEntityRecord): void {
  const because = inNetwork
    ? 'it is a tenant'
    : source === 'BUNDLED'
      ? 'it is of the bundled directory, which would bring it back: make it a duplicate instead'
      : duplicates.length > 0
        ? 'it has duplicates'
        : undefined;
  if (because) throw new DomainError('conflict', `The entity stays: ${because}.`);
}
