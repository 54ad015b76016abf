import { notFound } from '../../domain/errors.ts';
import type { PartnerRecord } from '../../domain/partners/partner.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { openPartnerSecret } from '../webhooks/partner-secret.ts';
import { PARTNER_COLUMNS, toPartner, type PartnerRow } from './partner-row.ts';

export interface OpenPartner {
  partner: PartnerRecord;
  webhookSecret: string;
}

/** A partner with its webhook secret. Throws not_found. */
export async function getPartner(db: Database, id: string): Promise<OpenPartner> {
  const { rows } = await db.pool.query<PartnerRow>(`select ${PARTNER_COLUMNS} from partners where id = $1`, [
    id,
  ]);
  if (!rows[0]) throw notFound('partner');
  return { partner: toPartner(rows[0]), webhookSecret: await openPartnerSecret(db, rows[0]) };
}

/** Throws not_found when there is no such partner. */
export async function requirePartner(db: Queryable, id: string): Promise<void> {
  const { rowCount } = await db.query('select 1 from partners where id = $1', [id]);
  if (rowCount === 0) throw notFound('partner');
}
