import { z } from 'zod';
import { getClaim } from '../../db/claims/find-claim.ts';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getClaimEndpoint = defineEndpoint({
  operationId: 'getClaim',
  method: 'GET',
  path: '/claims/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Claims',
  summary: 'Read a claim',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The claim.', schema: TransferClaim } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: viewClaim(await getClaim(db, caller.tenantId, params.id)) };
  },
});
