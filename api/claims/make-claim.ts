import type { Database } from '../../db/database.ts';
import { createClaim } from '../../db/lifecycle/create-claim.ts';
import { newId } from '../../db/new-id.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { newClaim } from '../../domain/claims/new-claim.ts';
import type { CreateClaimBody } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { actorOf, type TenantCaller } from '../caller.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';

interface ClaimRequest {
  body: CreateClaimBody;
  /** The record of the transfer, where the caller names one. */
  recordId?: string;
  caller: TenantCaller;
  commit: CommitEffect;
}

/** Stores a claim of the caller. Throws validation_failed, conflict. */
export async function makeClaim(
  db: Database,
  { body, recordId, caller, commit }: ClaimRequest,
): Promise<EndpointAnswer> {
  const { tenantId, tenant } = caller;
  const now = new Date();
  const actor = actorOf(caller);
  // The keys are loaded before the database transaction, to keep it short.
  const [settings] = await Promise.all([getTenantSettings(db.pool, tenantId), db.vault.tenantKeys(tenantId)]);
  const asking = { id: tenantId, name: tenant.name, email: tenant.email, entityId: tenant.entityId };
  const change = newClaim(body, { id: newId(now), tenant: asking, actor, now, settings });
  const creation = { change, recordId, tenant: asking, timeZone: settings.timeZone, actor, now };
  return await commit(async (tx) => {
    const { record, outbox } = await createClaim(db, tx, creation);
    return { status: 201, body: viewClaim(record), outbox, shows: { kind: 'CLAIM', id: record.id } };
  });
}
