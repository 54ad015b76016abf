import { z } from 'zod';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { STEP_KINDS } from '../../domain/verifications/state.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { receiveStep, STEP_PARTS } from './receive-step.ts';

export const submitStepEndpoint = defineEndpoint({
  operationId: 'submitAdditionalStep',
  method: 'POST',
  path: '/wallet-verification/{id}/additional-steps/{kind}',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Wallet verification',
  summary: 'Submit the files of an additional step',
  description:
    'The files replace earlier ones: a refused step accepts files again, a step under review does not. The step does not ' +
    'depend on the status of the verification.',
  params: z.strictObject({ id: UuidParam, kind: z.enum(STEP_KINDS) }),
  multipart: STEP_PARTS,
  example: { form: { files: ['selfie.png'] } },
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: ['file_type_not_allowed', 'invalid_transition', 'rate_limited'],
  async handle({ params, caller, readForm, commit, header, log }, deps) {
    return await receiveStep(deps, {
      tenantId: caller.tenantId,
      ...params,
      actor: actorOf(caller),
      log,
      isRepeatable: header('Idempotency-Key') !== undefined,
      readForm,
      commit,
    });
  },
});
