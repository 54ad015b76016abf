import { z } from 'zod';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerLog, EVENT_LOG } from '../event-log.ts';

export const listTransactionEventsEndpoint = defineEndpoint({
  operationId: 'listTransactionEvents',
  method: 'GET',
  path: '/transactions/{id}/events',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'Read the log of a transaction',
  description:
    'All entries, newest first. Entries never change. Each contains the hash of the entry before it, so a missing or ' +
    'altered entry can be detected.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: EVENT_LOG },
  errors: [],
  handle: async ({ params: { id }, caller: { tenantId } }, { db }) =>
    await answerLog(db, 'transaction', { tenantId, id }),
});
