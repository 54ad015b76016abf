import { listCounterparties } from '../../db/counterparties/list-counterparties.ts';
import {
  Counterparty,
  ListCounterpartiesQuery,
  viewCounterparty,
} from '../../domain/entities/counterparty.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listCounterpartiesEndpoint = defineEndpoint({
  operationId: 'listCounterparties',
  method: 'GET',
  path: '/counterparties',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Entities',
  summary: 'List the entities that messages were exchanged with',
  description:
    'Also lists the entities that the tenant has decided about. The messages of a duplicate count for its master. `q` ' +
    'finds names as in `GET /entities`.',
  query: ListCounterpartiesQuery,
  responses: { 200: pageOf(Counterparty) },
  errors: [],
  async handle({ query, caller: { tenantId } }, { db }) {
    const now = new Date();
    const page = await listCounterparties(db, { tenantId, now }, query);
    return answerPage(page, (counterparty) => viewCounterparty(counterparty, now));
  },
});
