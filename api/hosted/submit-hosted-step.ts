import { z } from 'zod';
import { SYSTEM } from '../../domain/events/actor.ts';
import { HostedVerification } from '../../domain/verifications/hosted.ts';
import { STEP_KINDS } from '../../domain/verifications/state.ts';
import { defineEndpoint } from '../endpoint.ts';
import { receiveStep, STEP_PARTS } from '../verifications/receive-step.ts';
import { openHosted, showHosted } from './hosted-verification.ts';

export const submitHostedStepEndpoint = defineEndpoint({
  operationId: 'submitHostedStep',
  method: 'POST',
  path: '/wallet/verification/additional-steps/{kind}',
  auth: 'NONE',
  takesPageToken: true,
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: 'Submit the files of an additional step on the hosted page',
  description: 'Like `POST /wallet-verification/{id}/additional-steps/{kind}`.',
  params: z.strictObject({ kind: z.enum(STEP_KINDS) }),
  multipart: STEP_PARTS,
  example: { form: { files: ['selfie.png'] } },
  responses: { 200: { description: 'The verification with the new files.', schema: HostedVerification } },
  errors: ['file_type_not_allowed', 'invalid_transition', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { tenantId, id } = (await openHosted(deps, request)).record;
    await receiveStep(deps, {
      tenantId,
      id,
      kind: request.params.kind,
      actor: SYSTEM,
      via: 'HOSTED_PAGE',
      log: request.log,
      isRepeatable: false,
      readForm: request.readForm,
      commit: request.commit,
    });
    return { status: 200, body: await showHosted(deps, await openHosted(deps, request)) };
  },
});
