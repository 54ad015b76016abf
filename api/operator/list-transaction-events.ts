import { z } from 'zod';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerDeletedLog, EVENT_LOG } from '../event-log.ts';

export const listTransactionEventsAsOperatorEndpoint = defineEndpoint({
  operationId: 'listTransactionEventsAsOperator',
  method: 'GET',
  path: '/operator/transactions/{id}/events',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Read the log of a deleted transaction',
  description:
    'All entries, newest first, without personal data. 404 while the transaction is not deleted: its tenant reads the log ' +
    'itself. The log of the process has an audit line `DELETED_LOG_READ`.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: EVENT_LOG },
  errors: [],
  handle: async ({ params: { id }, caller, log }, { db }) =>
    await answerDeletedLog(db, 'transaction', { id, caller, log }),
});
