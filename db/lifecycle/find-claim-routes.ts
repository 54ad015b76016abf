import type { ClaimRecord } from '../../domain/claims/record.ts';
import { openClaimRow } from '../claims/find-claim.ts';
import { noteClaimRoute } from '../claims/note-claim-route.ts';
import { READ_COLUMNS } from '../claims/row.ts';
import type { Database } from '../database.ts';
import type { RecordRow } from '../records/record-table.ts';
import { MESSAGE_MISSING } from '../reconciliation/gap-sources.ts';
import { isSuspended } from '../tenants/require-active.ts';
import { resolveClaimRoute } from './resolve-claim-route.ts';

/** Days after its creation in which a claim that has reached nobody may find a route. */
const DAYS = 90;
const PAGE = 100;

interface ClaimSearch {
  tenantId: string;
  /** The last claim of the page before; null for the first page. */
  afterId: string | null;
  /** Whether mails reach somebody. */
  sendsMails: boolean;
  now: Date;
}

type FailedRow = RecordRow & { id: string; route_found_at: Date | null };

/**
 * Looks for routes of a tenant's claims that have reached nobody, while their deposits still lack their message: a VASP may have
 * been named in the directory since, have come onto a network, or be suspended no more. Returns the last claim of a full page.
 */
export async function findClaimRoutes(db: Database, search: ClaimSearch): Promise<string | null> {
  const { tenantId, afterId, now } = search;
  const { rows } = await db.pool.query<FailedRow>(
    `select ${READ_COLUMNS}, c.route_found_at from claims c
       join transactions t on t.tenant_id = c.tenant_id and t.id = c.transaction_id
     where c.tenant_id = $1 and c.direction = 'OUTGOING' and c.status = 'FAILED' and c.erased_at is null
       and c.created_at > $2::timestamptz - interval '${DAYS} days' and ($3::uuid is null or c.id > $3)
       and t.deleted_at is null and ${MESSAGE_MISSING}
     order by c.id limit ${PAGE}`,
    [tenantId, now, afterId],
  );
  for (const row of rows) {
    const { record } = await openClaimRow(db, row);
    const isFound = await reaches(db, record, search);
    if (isFound !== (row.route_found_at !== null))
      await noteClaimRoute(db.pool, { tenantId, id: record.id, foundAt: isFound ? now : null });
  }
  return rows.length < PAGE ? null : (rows.at(-1)?.id ?? null);
}

/** Whether a new claim would reach the originator VASP now. */
async function reaches(db: Database, claim: ClaimRecord, { sendsMails }: ClaimSearch): Promise<boolean> {
  const { counterparty } = await resolveClaimRoute(db.pool, claim);
  if (!counterparty) return false;
  if (counterparty.network === 'EMAIL') return sendsMails;
  return !(await isSuspended(db.pool, counterparty.tenantId));
}
