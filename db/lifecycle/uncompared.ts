import { missingLists } from '../../domain/sanctions-screening/list-state.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isPassedUnscreened, unscreenedPass } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { readActiveVersions } from '../sanctions-lists/read-versions.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';

/**
 * Whether a message, or a transfer that waits for the proof of its wallet, was let pass without a screening, had none since, and could
 * have one now. The review counted for the next step: not for one after the message was mailed or has waited for its VASP, nor for
 * coins that go before its answer, nor for a proof that comes later. While a required list is still away, or there is none at all, it goes on as it was let pass, so that nobody
 * is held for ever.
 */
export async function isUncompared(db: Queryable, record: TransactionRecord): Promise<boolean> {
  const pass = unscreenedPass(record);
  if (!pass || !isWaiting(record) || isNextStep(record)) return false;
  const { tenantId, id } = record;
  // Reviews of earlier releases do not say the version: any screening counts then.
  const { rowCount } = await db.query({
    name: 'has-screening-since',
    text: `select from transaction_screenings where tenant_id = $1 and transaction_id = $2 and record_version > $3 limit 1`,
    values: [tenantId, id, pass.recordVersion ?? -1],
  });
  return rowCount === 0 && (await canBeCompared(db, tenantId));
}

function isWaiting({ direction, status, screeningState, awaitsProof }: TransactionRecord): boolean {
  const isOpen = status === 'PENDING' || status === 'FAILED' || status === 'DELIVERED';
  const isReleased = screeningState === 'REVIEWED' || screeningState === 'RECHECK';
  return isOpen && isReleased && (direction === 'OUTGOING' || awaitsProof);
}

/** Whether nothing has come between the review and now. */
function isNextStep(record: TransactionRecord): boolean {
  return isPassedUnscreened(record) && !record.awaitsProof && record.status === 'PENDING';
}

/** Whether there are lists, and all that the tenant requires are among them. */
async function canBeCompared(db: Queryable, tenantId: string): Promise<boolean> {
  const versions = await readActiveVersions(db);
  const { screening } = await getTenantSettings(db, tenantId);
  return versions.length > 0 && missingLists(screening, versions, undefined, new Date()).length === 0;
}
