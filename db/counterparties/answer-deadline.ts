import { endOfWorkingDays } from '../../domain/claims/working-days.ts';
import type { Queryable } from '../postgres.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';
import { findClaimDays } from './find-claim-days.ts';

/** The end of the time that the tenant gives another VASP for an answer, from now on. */
export async function answerDeadline(
  db: Queryable,
  tenantId: string,
  entityId: string | null,
  now: Date,
): Promise<Date> {
  const { claimDeadlineDays, timeZone } = await getTenantSettings(db, tenantId);
  const days = await findClaimDays(db, tenantId, entityId);
  return endOfWorkingDays(now, days ?? claimDeadlineDays, timeZone);
}
