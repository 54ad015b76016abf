import { HostedVerification } from '../../domain/verifications/hosted.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openHosted, showHosted } from './hosted-verification.ts';

export const getHostedVerificationEndpoint = defineEndpoint({
  method: 'GET',
  path: '/wallet/verification',
  auth: 'NONE',
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: 'Read what is to be proven',
  description: 'For the hosted page. The token is sent as X-Verification-Token; every wrong one is 404.',
  responses: { 200: { description: 'As its owner sees it.', schema: HostedVerification } },
  errors: ['not_found', 'rate_limited'],
  async handle(request, deps) {
    const open = await openHosted(deps, request);
    return { status: 200, body: await showHosted(deps, open) };
  },
});
