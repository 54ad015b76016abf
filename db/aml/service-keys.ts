import { notFound } from '../../domain/errors.ts';
import type {
  ServiceFeature,
  ProviderCode,
  PutServiceKeyBody,
  ServiceKeyRecord,
} from '../../domain/aml/service-key.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';

interface ServiceKeyRow {
  feature: ServiceFeature;
  provider: ProviderCode;
  key_id: string;
  sealed_key: Buffer | null;
  refused_at: Date | null;
  refused_status: number | null;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = 'feature, provider, key_id, sealed_key, refused_at, refused_status, created_at, updated_at';

/** Stores the encrypted provider key of a feature and replaces the previous one. */
export async function putServiceKey(
  db: Database,
  tenantId: string,
  { feature, provider, key }: PutServiceKeyBody,
  now: Date,
): Promise<ServiceKeyRecord> {
  const keys = await db.vault.tenantKeys(tenantId);
  const keyId = newId(now);
  const sealed = key ? keys.seal(sealingContext.serviceKey.key(tenantId, keyId), key) : null;
  const { rows } = await db.pool.query<ServiceKeyRow>(
    `insert into service_keys as k (tenant_id, feature, provider, key_id, sealed_key, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $6)
     on conflict (tenant_id, feature) do update set provider = excluded.provider, key_id = excluded.key_id,
       sealed_key = excluded.sealed_key, refused_at = null, refused_status = null, updated_at = excluded.updated_at
     returning ${COLUMNS}`,
    [tenantId, feature, provider, keyId, sealed, now],
  );
  const row = rows[0];
  if (!row) throw new Error('the service key was not stored');
  return toServiceKey(row);
}

/** Switches a feature off. Throws not_found. */
export async function deleteServiceKey(
  db: Queryable,
  tenantId: string,
  feature: ServiceFeature,
): Promise<void> {
  const { rowCount } = await db.query('delete from service_keys where tenant_id = $1 and feature = $2', [
    tenantId,
    feature,
  ]);
  if (rowCount === 0) throw notFound('service key');
}

/** Lists the tenant's provider keys by feature, still encrypted. */
export async function listServiceKeys(db: Queryable, tenantId: string): Promise<ServiceKeyRecord[]> {
  const { rows } = await db.query<ServiceKeyRow>(
    `select ${COLUMNS} from service_keys where tenant_id = $1 order by feature`,
    [tenantId],
  );
  return rows.map(toServiceKey);
}

/** A provider that the tenant has activated, with its decrypted key. */
export interface ActiveProvider {
  provider: ProviderCode;
  keyId: string;
  /** The key as the tenant stored it; null for a provider without a key. */
  key: unknown;
  isRefused: boolean;
}

/** The active provider of a feature; undefined without one. Throws SealedValueError. */
export async function findActiveProvider(
  db: Database,
  tenantId: string,
  feature: ServiceFeature,
): Promise<ActiveProvider | undefined> {
  const { rows } = await db.pool.query<ServiceKeyRow>(
    `select ${COLUMNS} from service_keys where tenant_id = $1 and feature = $2`,
    [tenantId, feature],
  );
  const row = rows[0];
  if (!row) return undefined;
  const { provider, key_id: keyId, sealed_key: sealed, refused_at: refusedAt } = row;
  const keys = sealed && (await db.vault.tenantKeys(tenantId, [sealed]));
  const key =
    keys && sealed ? keys.open<unknown>(sealingContext.serviceKey.key(tenantId, keyId), sealed) : null;
  return { provider, keyId, key, isRefused: refusedAt !== null };
}

/** Records that the provider refused exactly this key, or, with null, that it accepted it again. */
export async function noteKeyStatus(
  db: Queryable,
  tenantId: string,
  keyId: string,
  refusal: { status: number; at: Date } | null,
): Promise<void> {
  await db.query(
    'update service_keys set refused_at = $3, refused_status = $4 where tenant_id = $1 and key_id = $2',
    [tenantId, keyId, refusal?.at ?? null, refusal?.status ?? null],
  );
}

function toServiceKey(row: ServiceKeyRow): ServiceKeyRecord {
  return {
    feature: row.feature,
    provider: row.provider,
    keyId: row.key_id,
    sealed: row.sealed_key,
    refusedAt: row.refused_at,
    refusedStatus: row.refused_status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
