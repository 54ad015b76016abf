import { z } from 'zod';
import { createPartner } from '../../db/partners/create-partner.ts';
import { CreatePartnerBody, Partner, PartnerKey } from '../../domain/partners/schema.ts';
import { viewPartner, viewPartnerKey } from '../../domain/partners/view-partner.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from '../tenant/require-webhook-url.ts';

const CreatedPartner = z
  .strictObject({ partner: Partner, apiKey: PartnerKey })
  .meta({ id: 'CreatedPartner' });

export const createPartnerEndpoint = defineEndpoint({
  operationId: 'createPartner',
  method: 'POST',
  path: '/operator/partners',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Create a partner of the network',
  description: 'Returns the partner with its webhook secret and its first key, which is shown once.',
  body: CreatePartnerBody,
  example: { body: { name: 'Aurora Network', country: 'LU', email: 'travelrule@aurora.example' } },
  responses: { 201: { description: 'Created.', schema: CreatedPartner } },
  errors: ['conflict'],
  async handle({ body, caller, commit, log }, { db, settings }) {
    requireWebhookUrl(body.webhookUrl, settings);
    const environment = settings.ENVIRONMENT;
    return await commit(async (tx) => {
      const made = await createPartner(db, tx, { body, environment, now: new Date() });
      const { partner, webhookSecret, key, apiKey, outbox } = made;
      log.info(
        { audit: 'PARTNER_CREATED', ...loggedCaller(caller), partnerId: partner.id, partnerKeyId: key.id },
        'an operator created a partner',
      );
      const view = viewPartner(partner, { environment, webhookSecret });
      return { status: 201, body: { partner: view, apiKey: viewPartnerKey(key, apiKey) }, outbox };
    });
  },
});
