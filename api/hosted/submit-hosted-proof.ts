import { SYSTEM } from '../../domain/events/actor.ts';
import { HostedVerification } from '../../domain/verifications/hosted.ts';
import { requireOwnChallenge } from '../../domain/verifications/challenge.ts';
import { SubmitHostedProofBody } from '../../domain/verifications/schema.ts';
import { requireSubmittable } from '../../domain/verifications/submission.ts';
import { defineEndpoint } from '../endpoint.ts';
import { nameEmptyText, PROOF_ERRORS, PROOF_PARTS, readProofForm } from '../verifications/read-proof-form.ts';
import { receiveProof } from '../verifications/receive-proof.ts';
import { submitProof } from '../verifications/submit-proof.ts';
import { openHosted, showHosted } from './hosted-verification.ts';

export const submitHostedProofEndpoint = defineEndpoint({
  operationId: 'submitHostedProof',
  method: 'POST',
  path: '/wallet/verification/proof',
  auth: 'NONE',
  takesPageToken: true,
  limit: 'HOSTED',
  tag: 'Hosted page',
  summary: 'Submit a proof on the hosted page',
  description:
    'Like `POST /wallet-verification/{id}/verification`, but a signature must be of the text from ' +
    '`POST /wallet/verification/message`, and a declaration may have its text and the typed name of the owner.',
  body: SubmitHostedProofBody,
  multipart: PROOF_PARTS,
  refineRefusal: nameEmptyText,
  example: {
    body: {
      verificationFlow: 'SELF_DECLARED',
      declaration: { name: 'Anna Keller', statement: 'I declare that this wallet is mine.' },
    },
  },
  responses: { 200: { description: 'The verification after the proof.', schema: HostedVerification } },
  errors: [...PROOF_ERRORS, 'not_found', 'tenant_suspended', 'rate_limited'],
  async handle(request, deps) {
    const { body, isForm, commit, idempotency } = request;
    const { record } = await openHosted(deps, request);
    const { tenantId, id } = record;
    const files = receiveProof(deps, { tenantId, id, log: request.log, isRepeatable: false });
    try {
      const submission = isForm ? (await readProofForm(request.readForm, files.takeFile)).submission() : body;
      if (submission.verificationFlow === 'SIGNATURE_PROOF') {
        const now = new Date();
        requireSubmittable(record, submission.verificationFlow, now);
        requireOwnChallenge(record, submission.message, now);
      }
      const hosted = { actor: SYSTEM, via: 'HOSTED_PAGE', isForm, files } as const;
      await submitProof(deps, { tenantId, id, ...hosted, commit, idempotency }, submission);
    } finally {
      await files.discard();
    }
    return { status: 200, body: await showHosted(deps, await openHosted(deps, request)) };
  },
});
