import { z } from 'zod';
import { listEvents } from '../../db/events/list-events.ts';
import { findDeletedTransactionTenant } from '../../db/transactions/find-transaction.ts';
import { notFound } from '../../domain/errors.ts';
import { EventView, viewEvent } from '../../domain/events/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

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
  responses: { 200: pageOf(EventView, 'The log.') },
  errors: [],
  async handle({ params: { id }, caller, log }, { db }) {
    const tenantId = await findDeletedTransactionTenant(db.pool, id);
    if (tenantId === undefined) throw notFound('transaction');
    const items = await listEvents(db.pool, tenantId, id);
    log.info(
      {
        audit: 'DELETED_LOG_READ',
        ...loggedCaller(caller),
        tenantId,
        transactionId: id,
        count: items.length,
      },
      'an operator read the log of a deleted transaction',
    );
    return { ...answerPage({ items, total: items.length }, (event) => viewEvent(event)), tenantId };
  },
});
