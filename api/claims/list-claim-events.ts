import { z } from 'zod';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerLog, EVENT_LOG } from '../event-log.ts';

export const listClaimEventsEndpoint = defineEndpoint({
  operationId: 'listClaimEvents',
  method: 'GET',
  path: '/claims/{id}/events',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Claims',
  summary: 'Read the log of a claim',
  description:
    'All entries, newest first. Entries never change. Each contains the hash of the entry before it, so a missing or ' +
    'altered entry can be detected.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: EVENT_LOG },
  errors: [],
  handle: async ({ params: { id }, caller: { tenantId } }, { db }) =>
    await answerLog(db, 'claim', { tenantId, id }),
});
