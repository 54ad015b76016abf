import { TENANT_SOURCE, type EntityRecord } from '../../domain/entities/entity.ts';
import { estimateRisk } from '../../domain/entities/risk.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { Queryable } from '../postgres.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from './entity-row.ts';
import { refuseTenantNames } from './name-conflicts.ts';
import { insertEntity, updateEntity } from './write-entity.ts';

/** Writes the directory's entry of a new tenant, under the route lock of its name. Throws conflict. */
export async function insertTenantEntity(tx: Queryable, tenant: TenantRecord): Promise<void> {
  await insertEntity(tx, newEntityOf(tenant));
  await refuseTenantNames(tx, [tenant.entityId]);
}

/**
 * Makes an entity of the directory that of a new tenant, which keeps the names that it had. Throws validation_failed
 * when there is none, conflict when it is a tenant's already or stands for another.
 */
export async function adoptEntity(tx: Queryable, tenant: TenantRecord): Promise<void> {
  const entity = await lockEntity(tx, tenant.entityId);
  if (!entity) throw invalidField('/entityId', 'unknown_entity', 'There is no such entity.');
  if (entity.inNetwork || entity.masterEntityId !== null) {
    throw new DomainError('conflict', 'This entity is a tenant already, or a duplicate of another one.');
  }
  const isSameName = foldName(entity.name) === foldName(tenant.name);
  const aliases = isSameName ? entity.aliases : [...entity.aliases, entity.name];
  const networks = ['NATIVE', ...entity.networks];
  const adopted = withTenant({ ...entity, aliases, networks, inNetwork: true }, tenant, true);
  await updateEntity(tx, adopted, tenant.updatedAt);
  await refuseTenantNames(tx, [entity.id]);
}

/**
 * Carries a change of a tenant into the directory, under the route lock of a changed name; what operators added there
 * stays. Throws conflict.
 */
export async function updateTenantEntity(
  tx: Queryable,
  before: TenantRecord,
  after: TenantRecord,
): Promise<void> {
  const entity = await lockEntity(tx, after.entityId);
  // Made by the version before, and not yet in the directory.
  if (!entity) return await insertTenantEntity(tx, after);
  await updateEntity(tx, withTenant(entity, after, before.country !== after.country), after.updatedAt);
  if (before.name !== after.name) await refuseTenantNames(tx, [entity.id]);
}

async function lockEntity(tx: Queryable, id: string): Promise<EntityRecord | undefined> {
  const { rows } = await tx.query<EntityRow>(
    `select ${ENTITY_COLUMNS} from entities where id = $1 for no key update`,
    [id],
  );
  return rows[0] && toEntity(rows[0]);
}

/** What a tenant says of itself counts, where it says something. */
function withTenant(entity: EntityRecord, tenant: TenantRecord, isCountryNew: boolean): EntityRecord {
  const merged = {
    ...entity,
    name: tenant.name,
    legalName: tenant.legalName ?? entity.legalName,
    webpage: tenant.webpage ?? entity.webpage,
    lei: tenant.lei ?? entity.lei,
    registrationNumber: tenant.registrationNumber ?? entity.registrationNumber,
    countries: isCountryNew && tenant.country !== null ? [tenant.country] : entity.countries,
    updatedAt: tenant.updatedAt,
  };
  return entity.riskAssessedAt === null ? { ...merged, ...estimateRisk(merged) } : merged;
}

function newEntityOf(tenant: TenantRecord): EntityRecord {
  const countries = tenant.country === null ? [] : [tenant.country];
  return {
    id: tenant.entityId,
    name: tenant.name,
    legalName: tenant.legalName,
    webpage: tenant.webpage,
    lei: tenant.lei,
    registrationNumber: tenant.registrationNumber,
    createdAt: tenant.createdAt,
    updatedAt: tenant.updatedAt,
    countries,
    ...estimateRisk({ type: 'service', countries, inNetwork: true }),
    type: 'service',
    inNetwork: true,
    networks: ['NATIVE'],
    aliases: [],
    // The tenant's address is for its own mail; messages reach it without one.
    email: null,
    travelAddress: null,
    masterEntityId: null,
    source: TENANT_SOURCE,
    sourceId: null,
  };
}
