import { z } from 'zod';
import { listEvents } from '../../db/events/list-events.ts';
import { hasVerification } from '../../db/verifications/find-verification.ts';
import { notFound } from '../../domain/errors.ts';
import { EventView, viewEvent } from '../../domain/events/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listVerificationEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/wallet-verification/{id}/events',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'Read the log of a verification',
  description:
    'Every entry, newest first. Entries never change; each carries the hash of the one before, so that a missing or ' +
    'altered entry shows.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The log.', schema: z.array(EventView), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ params, caller }, { db }) {
    const [known, events] = await Promise.all([
      hasVerification(db.pool, caller.tenantId, params.id),
      listEvents(db.pool, caller.tenantId, params.id),
    ]);
    if (!known) throw notFound('verification');
    return { status: 200, body: events.map(viewEvent), headers: countHeader(events.length) };
  },
});
