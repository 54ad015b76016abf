import { z } from 'zod';
import { endProposal } from '../../db/proposals/end-proposals.ts';
import { Proposal, viewProposal } from '../../domain/proposals/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const withdrawProposalEndpoint = defineEndpoint({
  operationId: 'withdrawProposal',
  method: 'POST',
  path: '/proposals/{id}/withdraw',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Proposals',
  summary: 'Withdraw a proposal',
  description:
    'Ends it without its act. For the key or user that proposed it, and for the user who made the key.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'Withdrawn.', schema: Proposal } },
  errors: ['conflict'],
  async handle({ params: { id }, caller, commit, log }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await commit(async (tx) => {
      const ended = await endProposal(tx, { id, status: 'WITHDRAWN', caller, keys, now });
      return { status: 200, body: viewProposal(ended) };
    });
    log.info(
      { audit: 'PROPOSAL_WITHDRAWN', ...loggedCaller(caller), proposalId: id },
      'a proposal was withdrawn',
    );
    return answer;
  },
});
