import { z } from 'zod';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { STEP_KINDS } from '../../domain/verifications/state.ts';
import { reviewStep, ReviewStepBody } from '../../domain/verifications/steps.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchStepEndpoint = defineEndpoint({
  operationId: 'reviewAdditionalStep',
  method: 'PATCH',
  path: '/wallet-verification/{id}/additional-steps/{kind}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Review an additional step',
  description:
    'A step that is ACTION_REQUIRED, or that an automatic check has FAILED, becomes VERIFIED or DECLINED. If two ' +
    'reviewers decide, the first decision counts.',
  params: z.strictObject({ id: UuidParam, kind: z.enum(STEP_KINDS) }),
  body: ReviewStepBody,
  example: { body: { status: 'VERIFIED', statusReasoning: 'The same person as in the passport.' } },
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: ['invalid_transition', 'conflict'],
  async handle({ params, body, caller }, { db, writeInTurn, notifyWorkflows }) {
    const now = new Date();
    const actor = actorOf(caller);
    const { open, outbox } = await writeInTurn(
      caller.tenantId,
      async () =>
        await changeVerification(db, {
          tenantId: caller.tenantId,
          id: params.id,
          now,
          decide: (record) => reviewStep(record, params.kind, body, { actor, now }),
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200, body: showVerification(db, open) };
  },
});
