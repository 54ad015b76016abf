import { z } from 'zod';
import { requirePartner } from '../../db/partners/get-partner.ts';
import { insertPartnerKey } from '../../db/partners/partner-keys.ts';
import { CreatePartnerKeyBody, PartnerKey } from '../../domain/partners/schema.ts';
import { viewPartnerKey } from '../../domain/partners/view-partner.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { requireFuture } from '../tenant/require-future.ts';

export const createPartnerKeyEndpoint = defineEndpoint({
  operationId: 'createPartnerKey',
  method: 'POST',
  path: '/operator/partners/{id}/api-keys',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Create a key of a partner',
  description: 'The key is shown once. An empty object creates one without expiry.',
  params: z.strictObject({ id: UuidParam }),
  body: CreatePartnerKeyBody,
  bodyOptional: true,
  example: { body: { name: 'second site' } },
  responses: { 201: { description: 'The new key.', schema: PartnerKey } },
  errors: [],
  async handle({ params: { id: partnerId }, body, caller, commit, log }, { db, settings }) {
    const now = new Date();
    const { name = null, expiresAt = null } = body;
    requireFuture(expiresAt, now);
    return await commit(async (tx) => {
      await requirePartner(tx, partnerId);
      const environment = settings.ENVIRONMENT;
      const { key, apiKey } = await insertPartnerKey(db, tx, {
        partnerId,
        environment,
        name,
        expiresAt,
        now,
      });
      log.info(
        { audit: 'PARTNER_KEY_CREATED', ...loggedCaller(caller), partnerId, partnerKeyId: key.id },
        'an operator created a key of a partner',
      );
      return { status: 201, body: viewPartnerKey(key, apiKey) };
    });
  },
});
