import { z } from 'zod';
import { getProposal } from '../../db/proposals/read-proposals.ts';
import { DomainError } from '../../domain/errors.ts';
import { Proposal } from '../../domain/proposals/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import type { CommitEffect } from '../idempotency.ts';
import { requireUser } from '../users/require-user.ts';
import { carryOut } from './carry-out.ts';

export const approveProposalEndpoint = defineEndpoint({
  operationId: 'approveProposal',
  method: 'POST',
  path: '/proposals/{id}/approve',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Proposals',
  summary: 'Agree as the second person',
  description:
    'Carries the act out, once, as if it were asked for now: what would be refused now is refused, and the proposal waits on. For ' +
    'a signed-in user who has set their password by a link of a mail, and neither proposed it nor made the key that did. Another ' +
    'address for webhooks takes the role ADMIN.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'Carried out.', schema: Proposal } },
  errors: ['conflict', 'invalid_transition', 'review_required', 'screening_pending', 'rules_invalid'],
  async handle({ params: { id }, caller, commit, log }, deps) {
    const proposal = await getProposal(deps.db, caller.tenantId, id);
    requireUser(caller);
    if (proposal.status !== 'WAITING') {
      throw new DomainError('conflict', `This proposal does not wait any more: it is ${proposal.status}.`);
    }
    const answer = await carryOut(deps, proposal, { caller, commit: answeringProposal(commit), log });
    log.info(
      { audit: 'PROPOSAL_APPROVED', ...loggedCaller(caller), proposalId: id, kind: proposal.kind },
      'a second person agreed to a proposal',
    );
    return answer;
  },
});

/** The act answers its record with the proposal; whoever approves is shown the proposal. */
function answeringProposal(commit: CommitEffect): CommitEffect {
  return async (effect) =>
    await commit(async (tx) => {
      const done = await effect(tx);
      return { ...done, status: 200, body: (done.body as { proposal: Proposal }).proposal };
    });
}
