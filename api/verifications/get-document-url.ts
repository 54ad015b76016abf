import { z } from 'zod';
import { FileLink } from '../../domain/verifications/files.ts';
import { STEP_KINDS } from '../../domain/verifications/state.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { linkFile } from './link-file.ts';

export const getDocumentUrlEndpoint = defineEndpoint({
  operationId: 'getAdditionalStepDocumentUrl',
  method: 'GET',
  path: '/wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}/url',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'Get a link to a document of an additional step',
  description:
    'The link is valid for 60 seconds. The log of the verification records who created the link and each fetch.',
  params: z.strictObject({ id: UuidParam, kind: z.enum(STEP_KINDS), documentId: UuidParam }),
  responses: { 200: { description: 'The link.', schema: FileLink } },
  errors: [],
  async handle({ params: { id, kind, documentId }, caller }, deps) {
    return {
      status: 200,
      body: await linkFile(deps, caller, { verificationId: id, fileId: documentId, kind }),
    };
  },
});
