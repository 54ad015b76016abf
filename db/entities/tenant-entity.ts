import { TENANT_SOURCE, type EntityRecord } from '../../domain/entities/entity.ts';
import { estimateRisk } from '../../domain/entities/risk.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { Queryable } from '../postgres.ts';
import { ENTITY_COLUMNS, toEntity, type EntityRow } from './entity-row.ts';
import { refuseTenantNames } from './name-conflicts.ts';
import { insertEntity, updateEntity } from './write-entity.ts';

/** Inserts the directory entry of a new tenant. The caller holds the lock of its name. Throws conflict. */
export async function insertTenantEntity(tx: Queryable, tenant: TenantRecord): Promise<void> {
  await insertEntity(tx, newEntityOf(tenant));
  await refuseTenantNames(tx, [tenant.entityId]);
}

/**
 * Makes an existing entity the directory entry of a new tenant; the entity keeps its names. Throws validation_failed
 * when it does not exist, conflict when it is a tenant already or a duplicate.
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
  const adopted = withTenant({ ...entity, aliases, networks, inNetwork: true }, tenant, tenant.country);
  await updateEntity(tx, adopted, tenant.updatedAt);
  await refuseTenantNames(tx, [entity.id]);
}

/**
 * Copies a change of a tenant to its directory entry; what operators added there stays. The caller holds the
 * lock of a new name. Throws conflict.
 */
export async function updateTenantEntity(
  tx: Queryable,
  before: TenantRecord,
  after: TenantRecord,
): Promise<void> {
  const entity = await lockEntity(tx, after.entityId);
  // Tenants of an earlier release have no directory entry yet.
  if (!entity) return await insertTenantEntity(tx, after);
  const newCountry = before.country === after.country ? null : after.country;
  await updateEntity(tx, withTenant(entity, after, newCountry), after.updatedAt);
  if (before.name !== after.name) await refuseTenantNames(tx, [entity.id]);
}

async function lockEntity(tx: Queryable, id: string): Promise<EntityRecord | undefined> {
  const { rows } = await tx.query<EntityRow>(
    `select ${ENTITY_COLUMNS} from entities where id = $1 for no key update`,
    [id],
  );
  return rows[0] && toEntity(rows[0]);
}

/**
 * The entity with the tenant's own data where the tenant gives some. `country` replaces the countries, null keeps
 * them.
 */
function withTenant(entity: EntityRecord, tenant: TenantRecord, country: string | null): EntityRecord {
  const merged = {
    ...entity,
    name: tenant.name,
    legalName: tenant.legalName ?? entity.legalName,
    webpage: tenant.webpage ?? entity.webpage,
    lei: tenant.lei ?? entity.lei,
    registrationNumber: tenant.registrationNumber ?? entity.registrationNumber,
    countries: country === null ? entity.countries : [country],
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
    // The tenant's email address is for its own mail; messages reach the tenant without one.
    email: null,
    emailDomains: [],
    travelAddress: null,
    masterEntityId: null,
    source: TENANT_SOURCE,
    sourceId: null,
  };
}
