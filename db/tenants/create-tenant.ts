import type pg from 'pg';
import type { ApiKeyRecord } from '../../domain/api-keys/api-key.ts';
import { DomainError } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import type { KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import { NO_LIMITS_OF_ITS_OWN } from '../../domain/tenants/rate-limits.ts';
import type { CreateTenantBody } from '../../domain/tenants/schema.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import { insertApiKey } from '../api-keys/insert-api-key.ts';
import { insertRow } from '../columns.ts';
import { type Database } from '../database.ts';
import { adoptEntity, insertTenantEntity } from '../entities/tenant-entity.ts';
import { lockNames } from '../routes/name-lock.ts';
import { lockEntities } from '../entities/lock-entities.ts';
import { foldedNames, wakeNamed } from '../entities/wake-named.ts';
import { newId } from '../new-id.ts';
import type { OutboxEntry } from '../outbox.ts';
import { insertConfigurations } from '../rules/insert-configurations.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { insertVaultKeys } from '../vault/vault-keys.ts';
import { newWebhookSecret, sealWebhookSecret } from '../webhooks/webhook-secret.ts';
import { uniqueViolation } from '../postgres.ts';

interface TenantCreation {
  body: CreateTenantBody;
  environment: KeyEnvironment;
  now: Date;
}

export interface CreatedTenant {
  tenant: TenantRecord;
  webhookSecret: string;
  apiKey: ApiKeyRecord;
  /** The tenant's keys, which nobody else can load before the commit. */
  keys: TenantKeys;
  outbox: OutboxEntry[];
}

const UNLIMITED = { expiresAt: null, allowedIps: null };

/**
 * Creates a tenant with its entity, its encryption keys and a first API key (ADMIN), and wakes the messages that wait
 * for a VASP of this name. Throws conflict when the folded name is taken, also by an entity other than `entityId`.
 */
export async function createTenant(
  db: Database,
  tx: pg.PoolClient,
  { body, environment, now }: TenantCreation,
): Promise<CreatedTenant> {
  const made = await makeTenant(db, tx, { body, testBehaviour: null, now });
  const { keys } = made;
  const { id } = made.tenant;
  const key = { tenantId: id, keys, environment, name: null, role: 'ADMIN', ...UNLIMITED } as const;
  return { ...made, apiKey: await insertApiKey(db, tx, { ...key, createdBy: null, now }) };
}

interface TenantInput {
  body: CreateTenantBody;
  testBehaviour: TestBehaviour | null;
  now: Date;
}

/** Like createTenant, without an API key. */
export async function makeTenant(
  db: Database,
  tx: pg.PoolClient,
  { body, testBehaviour, now }: TenantInput,
): Promise<Omit<CreatedTenant, 'apiKey'>> {
  const tenant = newTenant(body, now);
  const vaultKeys = db.vault.newTenantKeys(tenant.id);
  const keys = db.vault.openNewTenantKeys(vaultKeys);
  const webhookSecret = newWebhookSecret();
  if (body.entityId !== undefined) await lockEntities(tx, [body.entityId]);
  const adopted = body.entityId === undefined ? [] : await foldedNames(tx, [body.entityId]);
  await lockNames(tx, [...new Set([foldName(tenant.name), ...adopted])], [tenant.entityId]);
  await insertTenant(tx, tenant, sealWebhookSecret(keys, tenant.id, webhookSecret), testBehaviour);
  await insertVaultKeys(tx, vaultKeys);
  await insertConfigurations(tx, tenant.id, now);
  if (body.entityId === undefined) await insertTenantEntity(tx, tenant);
  else await adoptEntity(tx, tenant);
  return { tenant, webhookSecret, keys, outbox: await wakeNamed(tx, { ids: [tenant.entityId] }, now) };
}

function newTenant(body: CreateTenantBody, now: Date): TenantRecord {
  return {
    id: newId(now),
    entityId: body.entityId ?? newId(now),
    name: body.name,
    legalName: body.legalName ?? null,
    email: body.email ?? null,
    country: body.country ?? null,
    registrationNumber: body.registrationNumber ?? null,
    lei: body.lei ?? null,
    webpage: body.webpage ?? null,
    webhookUrl: body.webhookUrl ?? null,
    webhookStatus: body.webhookUrl === undefined ? null : 'ACTIVE',
    rateLimits: NO_LIMITS_OF_ITS_OWN,
    answersRoute: false,
    suspendedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

async function insertTenant(
  tx: pg.PoolClient,
  tenant: TenantRecord,
  sealedSecret: Buffer,
  testBehaviour: TestBehaviour | null,
): Promise<void> {
  const row = {
    id: tenant.id,
    entity_id: tenant.entityId,
    name: tenant.name,
    name_folded: foldName(tenant.name),
    legal_name: tenant.legalName,
    email: tenant.email,
    country: tenant.country,
    registration_number: tenant.registrationNumber,
    lei: tenant.lei,
    webpage: tenant.webpage,
    webhook_url: tenant.webhookUrl,
    webhook_secret: sealedSecret,
    webhook_status: tenant.webhookStatus,
    test_behaviour: testBehaviour,
    created_at: tenant.createdAt,
    updated_at: tenant.updatedAt,
  };
  await tx.query(insertRow('tenants', row)).catch(refuseTakenName);
}

/** Turns a violated unique name or entity into conflict: senders could not tell two tenants of one name apart. */
export function refuseTakenName(error: unknown): never {
  if (uniqueViolation(error) === 'tenants_entity_id_key') {
    throw new DomainError('conflict', 'This entity is a tenant already.');
  }
  if (uniqueViolation(error) !== 'tenants_name_folded_key') throw error;
  throw new DomainError(
    'conflict',
    'A tenant of this name exists already; case, accents and spaces make no difference.',
  );
}
