import { HostedVerification } from '../../domain/verifications/hosted.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openHosted, showHosted } from './hosted-verification.ts';

export const getHostedVerificationEndpoint = defineEndpoint({
  operationId: 'getHostedVerification',
  method: 'GET',
  path: '/wallet/verification',
  auth: 'NONE',
  takesPageToken: true,
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: 'Read the verification of a page token',
  description:
    'Used by the hosted page, which sends the token as X-Verification-Token. A wrong token is 404.',
  responses: { 200: { description: 'What the owner of the wallet may see.', schema: HostedVerification } },
  errors: ['not_found', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const open = await openHosted(deps, request);
    return { status: 200, body: await showHosted(deps, open) };
  },
});
