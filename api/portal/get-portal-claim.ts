import { PortalClaim } from '../../domain/portal/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openClaimSession } from './open-portal-link.ts';
import { showPortalClaim } from './show-portal-claim.ts';

export const getPortalClaimEndpoint = defineEndpoint({
  operationId: 'getPortalClaim',
  method: 'GET',
  path: '/portal/claim',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Read the claim',
  description:
    'Where the link leads to a claim. `beneficiary` is shown only to a mailbox at a domain that the directory has of the ' +
    'institution.',
  responses: { 200: { description: 'The claim as it is now.', schema: PortalClaim } },
  errors: ['not_found', 'unauthenticated', 'conflict', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { record } = await openClaimSession(deps, request);
    return { status: 200, body: await showPortalClaim(deps.db, record) };
  },
});
