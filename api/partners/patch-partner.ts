import { changePartner } from '../../db/partners/change-partner.ts';
import { patchPartner } from '../../domain/partners/patch-partner.ts';
import { Partner, PatchPartnerBody } from '../../domain/partners/schema.ts';
import { viewPartner } from '../../domain/partners/view-partner.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from '../tenant/require-webhook-url.ts';

export const patchPartnerEndpoint = defineEndpoint({
  operationId: 'patchPartner',
  method: 'PATCH',
  path: '/partners/me',
  auth: 'PARTNER',
  limit: 'WRITES',
  tag: 'Partner',
  summary: 'Change your profile as a partner',
  description:
    'A new `webhookUrl` gets a new `webhookSecret`, which the answer contains. The same URL keeps its secret and enables ' +
    'a disabled endpoint again. Only an operator sets the name.',
  body: PatchPartnerBody,
  example: {
    body: {
      legalName: 'Meridian Network Ltd',
      country: 'SG',
      webhookUrl: 'http://127.0.0.1:4000/alpine',
    },
  },
  responses: { 200: { description: 'The partner.', schema: Partner } },
  errors: ['not_found'],
  async handle({ body, caller, log }, { db, settings, writeInTurn }) {
    requireWebhookUrl(body.webhookUrl, settings);
    const now = new Date();
    const changed = await writeInTurn(
      caller.partnerId,
      async () => await changePartner(db, caller.partnerId, (partner) => patchPartner(partner, body, now)),
    );
    log.info(
      { audit: 'PARTNER_CHANGED', ...loggedCaller(caller), fields: Object.keys(body) },
      'a partner changed its profile',
    );
    const { partner, webhookSecret } = changed;
    return { status: 200, body: viewPartner(partner, { environment: settings.ENVIRONMENT, webhookSecret }) };
  },
});
