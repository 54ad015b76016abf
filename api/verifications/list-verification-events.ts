import { z } from 'zod';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerLog, EVENT_LOG } from '../event-log.ts';

export const listVerificationEventsEndpoint = defineEndpoint({
  operationId: 'listVerificationEvents',
  method: 'GET',
  path: '/wallet-verification/{id}/events',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'Read the log of a verification',
  description:
    'All entries, newest first. Entries never change. Each contains the hash of the entry before it, so a missing or ' +
    'altered entry can be detected.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: EVENT_LOG },
  errors: [],
  handle: async ({ params: { id }, caller: { tenantId } }, { db }) =>
    await answerLog(db, 'verification', { tenantId, id }),
});
