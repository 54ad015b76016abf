import { z } from 'zod';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerDeletedLog, EVENT_LOG } from '../event-log.ts';

export const listVerificationEventsAsOperatorEndpoint = defineEndpoint({
  operationId: 'listVerificationEventsAsOperator',
  method: 'GET',
  path: '/operator/wallet-verification/{id}/events',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Read the log of a deleted verification',
  description:
    'All entries, newest first, without personal data. 404 while the verification is not deleted: its tenant reads the ' +
    'log itself. The log of the process has an audit line `DELETED_LOG_READ`.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: EVENT_LOG },
  errors: [],
  handle: async ({ params: { id }, caller, log }, { db }) =>
    await answerDeletedLog(db, 'verification', { id, caller, log }),
});
