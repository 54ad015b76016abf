import { proposeOrAgree } from '../../db/proposals/propose-or-agree.ts';
import { rulesBasis } from '../../db/proposals/proposal-status.ts';
import { publishDraft } from '../../db/rules/publish-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { viewProposal } from '../../domain/proposals/schema.ts';
import { viewConfiguration } from '../../domain/rules/configuration.ts';
import { requireRevision } from '../../domain/rules/publish.ts';
import type { PublishBody } from '../../domain/rules/requests.ts';
import type { ActRequest } from '../act-request.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { readRules } from './read-rules.ts';

/** Publishes a draft. With four eyes the first person proposes it, and the second publishes. Throws not_found, rules_invalid, conflict. */
export async function publish(
  { db }: Pick<Deps, 'db'>,
  id: string,
  { caller, commit, body, approves }: ActRequest<PublishBody>,
): Promise<EndpointAnswer> {
  const { tenantId } = caller;
  const now = new Date();
  const read = await getConfiguration(db, tenantId, id);
  const { fourEyes } = await getTenantSettings(db.pool, tenantId);
  const keys = await db.vault.tenantKeys(tenantId);
  return await commit(async (tx) => {
    requireRevision(read, body.revision);
    // Checked again, because a draft from an earlier release can contain rules that this release refuses.
    readRules(read.draft.ruleSet, read.draft.ruleSet);
    const act = { kind: 'RULES', subjectId: id, basis: rulesBasis(read), request: body } as const;
    const takesTwo = approves !== null || fourEyes.rules;
    const outcome = takesTwo ? await proposeOrAgree(tx, act, { caller, keys, now, approves }) : null;
    const proposal = outcome ? { proposal: viewProposal(outcome.proposal) } : {};
    if (outcome?.isAgreed === false)
      return { status: 200, body: { ...viewConfiguration(read), ...proposal } };
    const { comment } = body;
    const published = await publishDraft(tx, read, { keys, comment, author: actorOf(caller), now });
    return { status: 201, body: { ...viewConfiguration(published), ...proposal } };
  });
}
