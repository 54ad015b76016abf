import { z } from 'zod';
import { getBrake } from '../../db/brakes/list-brakes.ts';
import { releaseBrake } from '../../db/brakes/release-brake.ts';
import { Brake, ReleaseBrakeBody, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { brakeParty } from './brake-party.ts';

/** What a release does, for both of its descriptions. */
export const RELEASE_TEXT =
  'From now on nothing is held back by it. What waited is taken up again in the background, the oldest first, `perSecond` ' +
  'messages or webhooks a second; messages are screened again first. A brake that has ended is 409.';

export const releaseBrakeEndpoint = defineEndpoint({
  operationId: 'releaseBrake',
  method: 'POST',
  path: '/tenant/me/brakes/{id}/release',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Brakes',
  summary: 'End a brake',
  description: `${RELEASE_TEXT} One that an operator has set is 403: the operator ends it.`,
  params: z.strictObject({ id: UuidParam }),
  body: ReleaseBrakeBody,
  bodyOptional: true,
  example: { body: { perSecond: 50 } },
  responses: { 200: { description: 'The brake, whose release has begun.', schema: Brake } },
  errors: ['invalid_transition'],
  async handle({ params: { id }, body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const release = { tenantId, id, by: brakeParty(caller), perSecond: body.perSecond, now: new Date() };
    await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const outbox = await releaseBrake(tx, release);
      return { status: 200, body: viewBrake(await getBrake(db, tenantId, id, tx)), outbox };
    });
  },
});
