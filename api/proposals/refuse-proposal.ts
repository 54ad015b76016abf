import { z } from 'zod';
import { endProposal } from '../../db/proposals/end-proposals.ts';
import { getProposal } from '../../db/proposals/read-proposals.ts';
import { Proposal, viewProposal } from '../../domain/proposals/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { requireUser } from '../users/require-user.ts';

export const refuseProposalEndpoint = defineEndpoint({
  operationId: 'refuseProposal',
  method: 'POST',
  path: '/proposals/{id}/refuse',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Proposals',
  summary: 'Refuse a proposal',
  description:
    'Ends it without its act. For a signed-in user who neither proposed it nor made the key that did.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'Refused.', schema: Proposal } },
  errors: ['conflict'],
  async handle({ params: { id }, caller, commit, log }, { db }) {
    const { tenantId } = caller;
    await getProposal(db, tenantId, id);
    requireUser(caller);
    const now = new Date();
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await commit(async (tx) => {
      const ended = await endProposal(tx, { id, status: 'REFUSED', caller, keys, now });
      return { status: 200, body: viewProposal(ended) };
    });
    log.info(
      { audit: 'PROPOSAL_REFUSED', ...loggedCaller(caller), proposalId: id },
      'a second person refused a proposal',
    );
    return answer;
  },
});
