import { randomBytes } from 'node:crypto';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { HostedMessage } from '../../domain/verifications/hosted.ts';
import { makeChallenge } from '../../domain/verifications/challenge.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openHosted } from './hosted-verification.ts';

const NONCE_BYTES = 16;

export const makeHostedMessageEndpoint = defineEndpoint({
  operationId: 'createHostedMessage',
  method: 'POST',
  path: '/wallet/verification/message',
  auth: 'NONE',
  takesPageToken: true,
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: 'Get the text that the wallet is to sign',
  description:
    'Repeated calls return the same text for some minutes. A signature of exactly this text is accepted once, until ' +
    '`expiresAt`.',
  responses: { 201: { description: 'The text to sign without any change.', schema: HostedMessage } },
  errors: ['not_found', 'tenant_suspended', 'rate_limited', 'verification_completed', 'verification_expired'],
  async handle(request, deps) {
    const { record } = await openHosted(deps, request);
    const now = new Date();
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    const { open, outbox } = await deps.writeInTurn(
      request.address,
      async () =>
        await changeVerification(deps.db, {
          tenantId: record.tenantId,
          id: record.id,
          now,
          decide: (own) => makeChallenge(own, { walletUrl: deps.db.walletUrl, nonce, now }),
        }),
    );
    deps.notifyWorkflows(outbox);
    const made = open.record.personal.signIn;
    if (!made) throw new Error('the text was not kept');
    return { status: 201, body: { message: made.text, expiresAt: made.expiresAt } };
  },
});
