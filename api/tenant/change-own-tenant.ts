import { proposeOrAgree, type ProposalOutcome } from '../../db/proposals/propose-or-agree.ts';
import { changeTenantIn } from '../../db/tenants/change-tenant.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { viewProposal } from '../../domain/proposals/schema.ts';
import { patchTenant } from '../../domain/tenants/patch-tenant.ts';
import type { PatchTenantBody } from '../../domain/tenants/schema.ts';
import { viewTenant } from '../../domain/tenants/view-tenant.ts';
import type { ActRequest } from '../act-request.ts';
import type { Deps } from '../deps.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';

/**
 * Changes the caller's tenant. With four eyes another address for webhooks takes two people: the first proposes the whole
 * change. Throws validation_failed, not_found, conflict.
 */
export async function changeOwnTenant(
  { db, settings }: Deps,
  { caller, commit, body, approves }: ActRequest<PatchTenantBody>,
): Promise<EndpointAnswer> {
  requireWebhookUrl(body.webhookUrl, settings);
  const { tenantId } = caller;
  const now = new Date();
  const keys = await db.vault.tenantKeys(tenantId);
  return await commit(async (tx) => {
    let outcome: ProposalOutcome | null = null;
    const changed = await changeTenantIn(db, tx, {
      tenantId,
      now,
      decide: async (tenant) => {
        const isOther = body.webhookUrl !== undefined && body.webhookUrl !== tenant.webhookUrl;
        const { fourEyes } = await getTenantSettings(tx, tenantId);
        if (approves !== null || (isOther && fourEyes.webhookUrl)) {
          const basis = tenant.webhookUrl ?? '';
          const act = { kind: 'WEBHOOK_URL', subjectId: tenantId, basis, request: body } as const;
          outcome = await proposeOrAgree(tx, act, { caller, keys, now, approves });
          if (!outcome.isAgreed) return tenant;
        }
        return patchTenant(tenant, body, now);
      },
    });
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: changed.webhookSecret };
    const shown = viewTenant(changed.tenant, showing);
    return { status: 200, body: { ...shown, ...proposalIn(outcome) }, outbox: changed.outbox };
  });
}

function proposalIn(outcome: ProposalOutcome | null) {
  return outcome ? { proposal: viewProposal(outcome.proposal) } : {};
}
