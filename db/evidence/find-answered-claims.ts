import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { Database } from '../database.ts';
import { READ_COLUMNS } from '../claims/row.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openClaimRow } from '../claims/find-claim.ts';

/** The claims of the tenant that a transaction belongs to: those that it answers, and that of a deposit. Ordered by id. */
export async function findAnsweredClaims(
  db: Database,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<ClaimRecord[]> {
  const { rows } = await db.pool.query<RecordRow>(
    `select ${READ_COLUMNS} from claims c where c.tenant_id = $1 and c.transaction_id = $2 and c.erased_at is null order by c.id`,
    [tenantId, id],
  );
  const claims: ClaimRecord[] = [];
  for (const row of rows) claims.push((await openClaimRow(db, row)).record);
  return claims;
}
