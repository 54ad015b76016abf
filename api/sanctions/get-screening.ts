import { z } from 'zod';
import { getScreening } from '../../db/sanctions-screenings/get-screening.ts';
import { SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { screeningAnswer } from './screening-request.ts';

export const getScreeningEndpoint = defineEndpoint({
  operationId: 'getSanctionsScreening',
  method: 'GET',
  path: '/sanctions/history/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Sanctions',
  summary: 'Read a screening',
  description:
    'Returns the stored answer, byte for byte. Nothing is searched again. Of a transaction it is the latest of that party ' +
    'or address; once the transaction is deleted it is 404.',
  params: z.object({ id: UuidParam }),
  responses: { 200: { description: 'The stored answer.', schema: SanctionsScreening } },
  errors: [],
  handle: async ({ params, caller }, { db }) =>
    screeningAnswer(await getScreening(db, caller.tenantId, params.id)),
});
