import { getPartner } from '../../db/partners/get-partner.ts';
import { Partner } from '../../domain/partners/schema.ts';
import { viewPartner } from '../../domain/partners/view-partner.ts';
import { defineEndpoint } from '../endpoint.ts';

export const getPartnerEndpoint = defineEndpoint({
  operationId: 'getPartner',
  method: 'GET',
  path: '/partners/me',
  auth: 'PARTNER',
  limit: 'READS',
  tag: 'Partner',
  summary: 'Read your profile as a partner',
  responses: { 200: { description: 'The partner of the key.', schema: Partner } },
  errors: ['not_found'],
  async handle({ caller }, { db, settings }) {
    const { partner, webhookSecret } = await getPartner(db, caller.partnerId);
    return { status: 200, body: viewPartner(partner, { environment: settings.ENVIRONMENT, webhookSecret }) };
  },
});
