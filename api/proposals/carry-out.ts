import type { Logger } from 'pino';
import type { z } from 'zod';
import { DomainError } from '../../domain/errors.ts';
import type { ProposalKind, ProposalRecord } from '../../domain/proposals/proposal.ts';
import { PublishBody } from '../../domain/rules/requests.ts';
import { CreateSuppressionBody } from '../../domain/sanctions-screening/suppression.ts';
import { isPermitted } from '../../domain/tenants/role.ts';
import { PatchTenantBody } from '../../domain/tenants/schema.ts';
import { PatchSettingsBody } from '../../domain/tenants/settings.ts';
import { ReviewBody } from '../../domain/transactions/schema.ts';
import type { ActRequest } from '../act-request.ts';
import type { Deps } from '../deps.ts';
import { publish } from '../rules/publish.ts';
import { suppress } from '../sanctions/suppress.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { changeOwnTenant } from '../tenant/change-own-tenant.ts';
import { changeSettings } from '../tenant/change-settings.ts';
import { review } from '../transactions/review.ts';

/** The second person and how their agreement is committed. */
type Agreement = Pick<ActRequest<unknown>, 'caller' | 'commit'> & { log: Logger };

type CarryOut = (deps: Deps, proposal: ProposalRecord, agreement: Agreement) => Promise<EndpointAnswer>;

const ACTS: Record<ProposalKind, CarryOut> = {
  REVIEW: async (deps, proposal, { caller, commit }) => {
    const body = requestOf(ReviewBody, proposal, AGREED);
    return await review(deps, proposal.subjectId, { caller, commit, body, approves: proposal.id });
  },
  RULES: async (deps, proposal, { caller, commit }) => {
    const body = requestOf(PublishBody, proposal);
    return await publish(deps, proposal.subjectId, { caller, commit, body, approves: proposal.id });
  },
  SUPPRESSION: async (deps, proposal, { caller, commit }) => {
    const body = requestOf(CreateSuppressionBody, proposal);
    return await suppress(deps, { caller, commit, body, approves: proposal.id });
  },
  WEBHOOK_URL: async (deps, proposal, { caller, commit }) => {
    requireAdministrator(caller);
    const body = requestOf(PatchTenantBody, proposal);
    return await changeOwnTenant(deps, { caller, commit, body, approves: proposal.id });
  },
  ADDRESS_QUESTION_URL: async (deps, proposal, { caller, commit, log }) => {
    requireAdministrator(caller);
    const body = requestOf(PatchSettingsBody, proposal);
    return await changeSettings(deps, { caller, commit, body, approves: proposal.id }, log);
  },
  FOUR_EYES: async (deps, proposal, { caller, commit, log }) => {
    const body = requestOf(PatchSettingsBody, proposal);
    return await changeSettings(deps, { caller, commit, body, approves: proposal.id }, log);
  },
};

/** The request of a review whose text a version that let keys agree did not keep with the proposal. */
const AGREED = { decision: 'PROCEED', reason: 'A second reviewer agreed to the proposal.' } as const;

/** Carries a proposal out, judged again as if it were asked for now. Throws what the act throws. */
export async function carryOut(
  deps: Deps,
  proposal: ProposalRecord,
  agreement: Agreement,
): Promise<EndpointAnswer> {
  return await ACTS[proposal.kind](deps, proposal, agreement);
}

function requireAdministrator({ role }: Agreement['caller']): void {
  if (!isPermitted(role, 'ADMINISTER'))
    throw new DomainError('forbidden', 'The second person of this act has the role ADMIN.');
}

/** The proposed request. Throws conflict if it was not kept, or this release does not take it any more. */
function requestOf<B extends z.ZodType>(
  body: B,
  { request }: ProposalRecord,
  otherwise?: z.input<B>,
): z.output<B> {
  const parsed = body.safeParse(request ?? otherwise);
  if (!parsed.success) {
    throw new DomainError(
      'conflict',
      'This proposal cannot be carried out any more: withdraw it, and propose anew.',
    );
  }
  return parsed.data;
}
