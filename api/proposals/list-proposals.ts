import { listProposals } from '../../db/proposals/read-proposals.ts';
import { ListProposalsQuery, Proposal, viewProposal } from '../../domain/proposals/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listProposalsEndpoint = defineEndpoint({
  operationId: 'listProposals',
  method: 'GET',
  path: '/proposals',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Proposals',
  summary: 'List what waits for a second person',
  description:
    'Acts that `settings.fourEyes` puts under two people, as the first of them proposed. Newest first; those that are WAITING ' +
    'unless `_status` names others. `q` finds an id by its start.',
  query: ListProposalsQuery,
  example: { query: { _kind: ['REVIEW', 'RULES'] } },
  responses: { 200: pageOf(Proposal) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listProposals(db, caller.tenantId, query), viewProposal);
  },
});
