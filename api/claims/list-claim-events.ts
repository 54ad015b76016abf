import { z } from 'zod';
import { listEvents } from '../../db/events/list-events.ts';
import { hasClaim } from '../../db/claims/find-claim.ts';
import { findUsers } from '../../db/users/find-users.ts';
import { notFound } from '../../domain/errors.ts';
import { EventView, userIdsIn, viewEvent } from '../../domain/events/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

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
  responses: { 200: pageOf(EventView, 'The log.') },
  errors: [],
  async handle({ params, caller }, { db }) {
    const [known, items] = await Promise.all([
      hasClaim(db.pool, caller.tenantId, params.id),
      listEvents(db.pool, caller.tenantId, params.id),
    ]);
    if (!known) throw notFound('claim');
    const users = await findUsers(db, caller.tenantId, userIdsIn(items));
    return answerPage({ items, total: items.length }, (event) => viewEvent(event, users));
  },
});
