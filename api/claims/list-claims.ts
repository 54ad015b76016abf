import { listClaims } from '../../db/claims/list-claims.ts';
import { ListClaimsQuery } from '../../domain/claims/list.ts';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listClaimsEndpoint = defineEndpoint({
  operationId: 'listClaims',
  method: 'GET',
  path: '/claims',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Claims',
  summary: 'List claims',
  description:
    'Newest first, both those that you have made (OUTGOING) and those that were made to you (INCOMING). `q` finds names by ' +
    'whole words and by prefixes of at least three letters; hashes, destinations and ids exactly or by prefix. To list what ' +
    'waits for you: `_direction=INCOMING&_status=DELIVERED`.',
  query: ListClaimsQuery,
  responses: { 200: pageOf(TransferClaim) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listClaims(db, caller.tenantId, query), viewClaim);
  },
});
