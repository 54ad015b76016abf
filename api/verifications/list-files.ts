import { z } from 'zod';
import { getVerification } from '../../db/verifications/find-verification.ts';
import { listFiles } from '../../db/verifications/stored-files.ts';
import { VerificationFile } from '../../domain/verifications/files.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const listFilesEndpoint = defineEndpoint({
  operationId: 'listVerificationFiles',
  method: 'GET',
  path: '/wallet-verification/{id}/files',
  auth: 'TENANT',
  // The files show people, so only reviewers may list them.
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'List the files of a verification',
  description: 'The files of proofs and of additional steps, oldest first.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'Its files.', schema: z.array(VerificationFile) } },
  errors: [],
  async handle({ params, caller }, { db }) {
    const open = await getVerification(db, caller.tenantId, params.id);
    return { status: 200, body: await listFiles(db.pool, open) };
  },
});
