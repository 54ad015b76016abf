import { z } from 'zod';
import { getBrake } from '../../db/brakes/list-brakes.ts';
import { setBrake } from '../../db/brakes/set-brake.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { Brake, SetBrakeBody, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { brakeParty, newBrake } from './brake-party.ts';
import { BRAKE_TEXT } from './set-brake.ts';

export const setBrakeAsOperatorEndpoint = defineEndpoint({
  operationId: 'setBrakeAsOperator',
  method: 'POST',
  path: '/operator/tenants/{id}/brakes',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Hold back messages or webhooks of a tenant',
  description: `${BRAKE_TEXT} The tenant sees the brake and its reason, and cannot end it.`,
  params: z.strictObject({ id: UuidParam }),
  body: SetBrakeBody,
  example: { body: { kind: 'INCOMING', reason: 'Under examination since Monday.' } },
  auditedBody: ({ kind, counterpartyEntityId = null }) => ({ kind, counterpartyEntityId, reason: null }),
  responses: { 201: { description: 'The brake is on.', schema: Brake } },
  errors: ['conflict'],
  async handle({ params: { id: tenantId }, body, caller, commit }, { db }) {
    await requireTenant(db.pool, tenantId);
    const brake = newBrake(tenantId, body, brakeParty(caller), new Date());
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const { id } = await setBrake(tx, brake, keys);
      return { status: 201, body: viewBrake(await getBrake(db, tenantId, id, tx)) };
    });
  },
});
