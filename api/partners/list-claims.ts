import { listClaims } from '../../db/claims/list-claims.ts';
import { CLAIM_VASP_SEARCH_FIELDS } from '../../db/claims/row.ts';
import { ListClaimsQuery } from '../../domain/claims/list.ts';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaimWithoutPerson } from '../../domain/claims/view-claim.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listPartnerClaimsEndpoint = defineEndpoint({
  operationId: 'listPartnerClaims',
  method: 'GET',
  path: '/partners/me/claims',
  auth: 'PARTNER',
  limit: 'READS',
  tag: 'Partner',
  summary: 'List the claims to your network',
  description:
    'Newest first. Only claims that were routed to the partner, all of them INCOMING. A list shows no personal data: each ' +
    'reading of it is logged, so read one claim. `q` finds names of VASPs by whole words and by prefixes of at least three ' +
    'letters; hashes, destinations and ids exactly or by prefix.',
  query: ListClaimsQuery,
  responses: { 200: pageOf(TransferClaim) },
  errors: [],
  async handle({ query, caller: { partnerId } }, { db }) {
    return answerPage(
      await listClaims(db, partnerId, query, CLAIM_VASP_SEARCH_FIELDS),
      viewClaimWithoutPerson,
    );
  },
});
