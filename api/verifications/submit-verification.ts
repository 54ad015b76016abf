import { z } from 'zod';
import { SubmitProofBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../actor-of.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { replayOf } from '../replay.ts';
import { PROOF_ERRORS } from './proof-errors.ts';
import { nameEmptyText, PROOF_PARTS, readProofForm } from './read-proof-form.ts';
import { receiveProof } from './receive-proof.ts';
import { submitProof } from './submit-proof.ts';

export const submitVerificationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallet-verification/{id}/verification',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Submit a proof',
  description:
    'A signature is that of a plain message, checked over exactly the text that is sent. One that is refused is neither ' +
    'stored nor repeated anywhere and leaves the verification PENDING; the tenth makes it FAILED. At most ten ' +
    'submissions in a minute. Also as multipart/form-data, VISUAL_PROOF only so.',
  params: z.strictObject({ id: UuidParam }),
  body: SubmitProofBody,
  multipart: PROOF_PARTS,
  nameFault: nameEmptyText,
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: [...PROOF_ERRORS, 'rate_limited', 'temporarily_unavailable'],
  async handle(request, deps) {
    const { params, body, caller, idempotency = null, isForm, readForm, requestId, log } = request;
    const files = receiveProof(deps, {
      tenantId: caller.tenantId,
      id: params.id,
      log,
      isRepeatable: request.header('Idempotency-Key') !== undefined,
    });
    const submitter = { tenantId: caller.tenantId, id: params.id, actor: actorOf(caller), isForm, files };
    const submit = async (submission: SubmitProofBody, call: typeof idempotency) => {
      const answer = await submitProof(deps, { ...submitter, idempotency: call }, submission);
      return answer.replayed ? replayOf(answer) : { status: answer.status, body: answer.body };
    };
    if (!isForm) return await submit(body, idempotency);
    try {
      const { submission, idempotency: call = null } = await readProofForm(readForm, files.takeFile);
      const run = async () => await submit(submission(), call);
      return await ((call && deps.answerOnce?.(call, requestId, run)) ?? run());
    } finally {
      await files.discard();
    }
  },
});
