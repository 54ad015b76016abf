import type { Database } from '../../db/database.ts';
import { mailedClaimOf } from '../../db/lifecycle/open-claim-by-mail.ts';
import { findTransaction } from '../../db/transactions/find-transaction.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { PortalClaim } from '../../domain/portal/schema.ts';
import { viewPortalClaim } from '../../domain/portal/view-portal-claim.ts';

/** An opened claim as the portal shows it. `asking`: the asking side's record. Throws conflict. */
export async function showPortalClaim(db: Database, asking: ClaimRecord): Promise<PortalClaim> {
  const { tenantId, transactionId } = asking;
  const mailed = await mailedClaimOf(db, asking);
  const transfer = transactionId === null ? undefined : await findTransaction(db, tenantId, transactionId);
  return viewPortalClaim(mailed, transfer?.amount ?? null);
}
