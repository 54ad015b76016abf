import { z } from 'zod';
import { FileLink } from '../../domain/verifications/files.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { linkFile } from './link-file.ts';

export const getFileUrlEndpoint = defineEndpoint({
  operationId: 'getVerificationFileUrl',
  method: 'GET',
  path: '/wallet-verification/{id}/files/{fileId}/url',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'Get a link to a file',
  description:
    'The link is valid for 60 seconds. The log of the verification records who created the link and each fetch.',
  params: z.strictObject({ id: UuidParam, fileId: UuidParam }),
  responses: { 200: { description: 'The link.', schema: FileLink } },
  errors: [],
  async handle({ params, caller }, deps) {
    const link = await linkFile(deps, caller, { verificationId: params.id, fileId: params.fileId });
    return { status: 200, body: link };
  },
});
