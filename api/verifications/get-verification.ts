import { z } from 'zod';
import { getVerification } from '../../db/verifications/find-verification.ts';
import { showVerificationTo } from '../../db/verifications/show-verification.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getVerificationEndpoint = defineEndpoint({
  operationId: 'getVerification',
  method: 'GET',
  path: '/wallet-verification/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'Read a verification',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The verification.', schema: WalletVerification } },
  errors: [],
  async handle({ params, caller }, { db }) {
    const open = await getVerification(db, caller.tenantId, params.id);
    return { status: 200, body: showVerificationTo(caller.role, db, open) };
  },
});
