import { z } from 'zod';
import { SubmitProofBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { nameEmptyText, PROOF_ERRORS, PROOF_PARTS, readProofForm } from './read-proof-form.ts';
import { receiveProof } from './receive-proof.ts';
import { submitProof } from './submit-proof.ts';

export const submitVerificationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallet-verification/{id}/verification',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'OWN_STATEMENT',
  tag: 'Wallet verification',
  summary: 'Submit a proof',
  description:
    'A signature is that of a plain message, checked over exactly the text that is sent. One that is refused is neither ' +
    'stored nor repeated anywhere and leaves the verification PENDING; the tenth makes it FAILED. At most ten ' +
    'submissions in a minute. Also as multipart/form-data, VISUAL_PROOF only so.',
  params: z.strictObject({ id: UuidParam }),
  body: SubmitProofBody,
  multipart: PROOF_PARTS,
  refineRefusal: nameEmptyText,
  responses: { 200: { description: 'The verification as it is now.', schema: WalletVerification } },
  errors: [...PROOF_ERRORS, 'rate_limited', 'temporarily_unavailable'],
  async handle(request, deps) {
    const { params, body, caller, isForm, readForm, commit, idempotency, log } = request;
    const place = { tenantId: caller.tenantId, id: params.id };
    const isRepeatable = request.header('Idempotency-Key') !== undefined;
    const files = receiveProof(deps, { ...place, log, isRepeatable });
    const submitter = { ...place, actor: actorOf(caller), isForm, files, commit, idempotency };
    if (!isForm) return await submitProof(deps, submitter, body);
    try {
      const { submission, once } = await readProofForm(readForm, files.takeFile);
      return await once(async () => await submitProof(deps, submitter, submission()));
    } finally {
      await files.discard();
    }
  },
});
