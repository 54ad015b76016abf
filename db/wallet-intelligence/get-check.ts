import { notFound } from '../../domain/errors.ts';
import type { WalletCheck } from '../../domain/wallet-intelligence/schema.ts';
import type { Database } from '../database.ts';
import { toChecks, type CheckRow } from './check-row.ts';

/** A wallet check as it was returned. Throws not_found. */
export async function getCheck(db: Database, tenantId: string, id: string): Promise<WalletCheck> {
  const { rows } = await db.pool.query<CheckRow>(
    'select id, body from wallet_checks where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  const [check] = await toChecks(db, tenantId, rows);
  if (!check) throw notFound('record');
  return check;
}
