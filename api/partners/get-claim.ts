import { z } from 'zod';
import { getClaim } from '../../db/claims/find-claim.ts';
import { logClaimReading } from '../../db/claims/log-claim-reading.ts';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { viewClaim } from '../../domain/claims/view-claim.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getPartnerClaimEndpoint = defineEndpoint({
  operationId: 'getPartnerClaim',
  method: 'GET',
  path: '/partners/me/claims/{id}',
  auth: 'PARTNER',
  limit: 'READS',
  tag: 'Partner',
  summary: 'Read a claim to your network',
  description:
    'With `beneficiary`, the customer to whom the coins were sent, where the asking VASP has named it. Each reading of a claim ' +
    'with a name is an event in its log; the log of the asking VASP has the first one.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The claim.', schema: TransferClaim } },
  errors: [],
  async handle({ params: { id }, caller: { partnerId } }, { db, writeInTurn }) {
    const record = await getClaim(db, partnerId, id);
    const isReading = record.personal.beneficiaryName !== null;
    const read = isReading
      ? await writeInTurn(
          partnerId,
          async () => await logClaimReading(db, { tenantId: partnerId, id, now: new Date() }),
        )
      : record;
    return { status: 200, body: viewClaim(read) };
  },
});
