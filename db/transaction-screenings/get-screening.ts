import { notFound } from '../../domain/errors.ts';
import { viewScreening, type TransactionScreening } from '../../domain/transactions/screening.ts';
import type { Database } from '../database.ts';
import { contextOf } from '../transactions/seal-record.ts';

interface ScreeningRow {
  id: string | null;
  content: Buffer | null;
  record_key: Buffer;
  sealed: boolean;
}

/** The latest screening of a transfer as its tenant may see it; null before the first. Throws not_found. */
export async function getTransactionScreening(
  db: Database,
  tenantId: string,
  transactionId: string,
): Promise<TransactionScreening | null> {
  const found = await readLatest(db, tenantId, transactionId);
  if (!found) throw notFound('transaction');
  return found.screening && viewScreening(found.screening, found.sealed);
}

/** The latest screening of a transfer, whole; null before the first. */
export async function findLatestScreening(
  db: Database,
  tenantId: string,
  transactionId: string,
): Promise<TransactionScreening | null> {
  return (await readLatest(db, tenantId, transactionId))?.screening ?? null;
}

async function readLatest(
  { pool, vault }: Database,
  tenantId: string,
  transactionId: string,
): Promise<{ screening: TransactionScreening | null; sealed: boolean } | undefined> {
  const { rows } = await pool.query<ScreeningRow>(
    `select s.id, s.content, t.record_key, t.sealed from transactions t
     left join lateral (
       select id, content from transaction_screenings where transaction_id = t.id
       order by created_at desc, id desc limit 1
     ) s on true
     where t.tenant_id = $1 and t.id = $2 and t.deleted_at is null`,
    [tenantId, transactionId],
  );
  const row = rows[0];
  if (!row) return undefined;
  if (row.id === null || row.content === null) return { screening: null, sealed: row.sealed };
  const place = { tenantId, id: transactionId };
  const keys = await vault.tenantKeys(tenantId, [row.record_key]);
  const key = keys.openRecordKey(row.record_key, contextOf.key(place));
  const screening = key.open<TransactionScreening>(contextOf.screening(place, row.id), row.content);
  return { screening, sealed: row.sealed };
}
