import { z } from 'zod';
import { getBrake } from '../../db/brakes/list-brakes.ts';
import { releaseBrake } from '../../db/brakes/release-brake.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { Brake, ReleaseBrakeBody, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { brakeParty } from './brake-party.ts';
import { RELEASE_TEXT } from './release-brake.ts';

export const releaseBrakeAsOperatorEndpoint = defineEndpoint({
  operationId: 'releaseBrakeAsOperator',
  method: 'POST',
  path: '/operator/tenants/{id}/brakes/{brakeId}/release',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'End a brake of a tenant',
  description: RELEASE_TEXT,
  params: z.strictObject({ id: UuidParam, brakeId: UuidParam }),
  body: ReleaseBrakeBody,
  bodyOptional: true,
  example: { body: { perSecond: 10 } },
  responses: { 200: { description: 'The brake, whose release has begun.', schema: Brake } },
  errors: ['invalid_transition'],
  async handle({ params: { id: tenantId, brakeId: id }, body, caller, commit }, { db }) {
    await requireTenant(db.pool, tenantId);
    const release = { tenantId, id, by: brakeParty(caller), perSecond: body.perSecond, now: new Date() };
    await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const outbox = await releaseBrake(tx, release);
      return { status: 200, body: viewBrake(await getBrake(db, tenantId, id, tx)), outbox };
    });
  },
});
