import { randomBytes } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { PartnerKeyRecord } from '../../domain/partners/partner.ts';
import { apiKeyText, maskedKey, type KeyEnvironment } from '../../domain/tenants/api-key-text.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import type { Queryable } from '../postgres.ts';

interface NewPartnerKey extends Pick<PartnerKeyRecord, 'name' | 'expiresAt'> {
  partnerId: string;
  environment: KeyEnvironment;
  now: Date;
}

interface PartnerKeyRow {
  id: string;
  masked: string;
  name: string | null;
  expires_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

const KEY_COLUMNS = 'id, masked, name, expires_at, created_at, revoked_at, last_used_at';

/** Creates a key of a partner. Its text is returned and not stored: the row has a keyed hash for the look-up. */
export async function insertPartnerKey(
  db: Database,
  tx: Queryable,
  { partnerId, environment, name, expiresAt, now }: NewPartnerKey,
): Promise<{ key: PartnerKeyRecord; apiKey: string }> {
  const apiKey = apiKeyText(environment, randomBytes(64), 'PARTNER');
  const { rows } = await tx.query<PartnerKeyRow>(
    `insert into partner_keys (id, partner_id, hash, masked, name, expires_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${KEY_COLUMNS}`,
    [newId(now), partnerId, db.vault.apiKeyHash(apiKey), maskedKey(apiKey), name, expiresAt, now],
  );
  const [row] = rows;
  if (!row) throw new Error('the key was not stored');
  return { key: toPartnerKey(row), apiKey };
}

/** All keys of a partner, newest first, those that were revoked or have expired included. */
export async function listPartnerKeys(db: Queryable, partnerId: string): Promise<PartnerKeyRecord[]> {
  const { rows } = await db.query<PartnerKeyRow>(
    `select ${KEY_COLUMNS} from partner_keys where partner_id = $1 order by created_at desc, id desc`,
    [partnerId],
  );
  return rows.map(toPartnerKey);
}

/** Revokes a key for good; a key that was revoked before keeps its time. Throws not_found. */
export async function revokePartnerKey(
  db: Queryable,
  partnerId: string,
  id: string,
  now: Date,
): Promise<PartnerKeyRecord> {
  const { rows } = await db.query<PartnerKeyRow>(
    `update partner_keys set revoked_at = coalesce(revoked_at, $3) where partner_id = $1 and id = $2
     returning ${KEY_COLUMNS}`,
    [partnerId, id, now],
  );
  if (!rows[0]) throw notFound('key');
  return toPartnerKey(rows[0]);
}

function toPartnerKey(row: PartnerKeyRow): PartnerKeyRecord {
  return {
    id: row.id,
    masked: row.masked,
    name: row.name,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
