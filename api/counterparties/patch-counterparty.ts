import { z } from 'zod';
import { getCounterparty } from '../../db/counterparties/get-counterparty.ts';
import { patchCounterparty } from '../../db/counterparties/patch-counterparty.ts';
import { Counterparty, PatchCounterpartyBody, viewCounterparty } from '../../domain/entities/counterparty.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const patchCounterpartyEndpoint = defineEndpoint({
  operationId: 'patchCounterparty',
  method: 'PATCH',
  path: '/counterparties/{entityId}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Entities',
  summary: 'Decide about an entity',
  description:
    'A value sets a field, null clears it (a policy returns to ALLOW), an absent field stays. Only this tenant sees its ' +
    'decisions.',
  params: z.strictObject({ entityId: UuidParam }),
  body: PatchCounterpartyBody,
  example: {
    body: {
      policy: 'REVIEW',
      dueDiligenceAt: '2026-01-15',
      nextReviewAt: '2027-01-15',
      note: 'Licence seen.',
    },
  },
  responses: { 200: { description: 'The counterparty.', schema: Counterparty } },
  errors: [],
  async handle({ params: { entityId }, body, caller: { tenantId } }, { db, writeInTurn }) {
    const now = new Date();
    await writeInTurn(
      tenantId,
      async () => await patchCounterparty(db, { tenantId, entityId, patch: body, now }),
    );
    const counterparty = await getCounterparty(db, { tenantId, entityId, now });
    return { status: 200, body: viewCounterparty(counterparty, now) };
  },
});
