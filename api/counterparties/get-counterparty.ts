import { z } from 'zod';
import { getCounterparty } from '../../db/counterparties/get-counterparty.ts';
import { Counterparty, viewCounterparty } from '../../domain/entities/counterparty.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getCounterpartyEndpoint = defineEndpoint({
  operationId: 'getCounterparty',
  method: 'GET',
  path: '/counterparties/{entityId}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Entities',
  summary: 'Get what is known and decided about an entity',
  description:
    'Works for every entity of the directory, with or without messages. The id of a duplicate returns its master.',
  params: z.strictObject({ entityId: UuidParam }),
  responses: { 200: { description: 'The counterparty.', schema: Counterparty } },
  errors: [],
  async handle({ params: { entityId }, caller: { tenantId } }, { db }) {
    const now = new Date();
    const counterparty = await getCounterparty(db, { tenantId, entityId, now });
    return { status: 200, body: viewCounterparty(counterparty, now) };
  },
});
