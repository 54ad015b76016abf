import { z } from 'zod';
import { listEvents } from '../../db/events/list-events.ts';
import { findDeletedVerificationTenant } from '../../db/verifications/find-verification.ts';
import { notFound } from '../../domain/errors.ts';
import { EventView, viewEvent } from '../../domain/events/schema.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

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
  responses: { 200: pageOf(EventView, 'The log.') },
  errors: [],
  async handle({ params: { id }, caller, log }, { db }) {
    const tenantId = await findDeletedVerificationTenant(db.pool, id);
    if (tenantId === undefined) throw notFound('verification');
    const items = await listEvents(db.pool, tenantId, id);
    log.info(
      {
        audit: 'DELETED_LOG_READ',
        ...loggedCaller(caller),
        tenantId,
        verificationId: id,
        count: items.length,
      },
      'an operator read the log of a deleted verification',
    );
    return { ...answerPage({ items, total: items.length }, (event) => viewEvent(event)), tenantId };
  },
});
