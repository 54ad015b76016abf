import { listPartners } from '../../db/partners/list-partners.ts';
import { ListPartnersQuery, Partner } from '../../domain/partners/schema.ts';
import { viewPartner } from '../../domain/partners/view-partner.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listPartnersEndpoint = defineEndpoint({
  operationId: 'listPartners',
  method: 'GET',
  path: '/operator/partners',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the partners of the network',
  description:
    'Newest first. `q` finds names that contain all of its words, in any case and with or without accents.',
  query: ListPartnersQuery,
  responses: { 200: pageOf(Partner) },
  errors: [],
  async handle({ query }, { db, settings }) {
    const showing = { environment: settings.ENVIRONMENT, webhookSecret: null };
    return answerPage(await listPartners(db, query), (partner) => viewPartner(partner, showing));
  },
});
