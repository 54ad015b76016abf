import { z } from 'zod';
import { SubmitProofBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { nameEmptyText, PROOF_ERRORS, PROOF_PARTS, readProofForm } from './read-proof-form.ts';
import { receiveProof } from './receive-proof.ts';
import { submitProof } from './submit-proof.ts';

export const submitVerificationEndpoint = defineEndpoint({
  operationId: 'submitVerificationProof',
  method: 'POST',
  path: '/wallet-verification/{id}/verification',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'OWN_STATEMENT',
  tag: 'Wallet verification',
  summary: 'Submit a proof',
  description:
    'A signature must be of a plain message, and is checked over exactly the text that is sent. A refused signature is ' +
    'never stored, logged or returned. The verification stays PENDING until the tenth wrong proof makes it FAILED. At ' +
    'most ten submissions per minute. VISUAL_PROOF must be sent as multipart/form-data; the other flows may be.',
  params: z.strictObject({ id: UuidParam }),
  body: SubmitProofBody,
  multipart: PROOF_PARTS,
  refineRefusal: nameEmptyText,
  example: { body: { verificationFlow: 'SELF_DECLARED' } },
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: [...PROOF_ERRORS, 'rate_limited', 'temporarily_unavailable'],
  async handle(request, deps) {
    const { params, body, caller, isForm, readForm, commit, idempotency, log } = request;
    const ref = { tenantId: caller.tenantId, id: params.id };
    const isRepeatable = request.header('Idempotency-Key') !== undefined;
    const files = receiveProof(deps, { ...ref, log, isRepeatable });
    const submitter = { ...ref, actor: actorOf(caller), isForm, files, commit, idempotency };
    if (!isForm) return await submitProof(deps, submitter, body);
    try {
      const { submission, once } = await readProofForm(readForm, files.takeFile);
      return await once(async () => await submitProof(deps, submitter, submission()));
    } finally {
      await files.discard();
    }
  },
});
