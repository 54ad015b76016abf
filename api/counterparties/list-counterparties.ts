import { z } from 'zod';
import { listCounterparties } from '../../db/counterparties/list-counterparties.ts';
import {
  Counterparty,
  ListCounterpartiesQuery,
  viewCounterparty,
} from '../../domain/entities/counterparty.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listCounterpartiesEndpoint = defineEndpoint({
  method: 'GET',
  path: '/counterparties',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Entities',
  summary: 'List the entities that messages were exchanged with',
  description:
    'And those that something was decided about. A duplicate is counted with its master. `q` finds names as in ' +
    '`GET /entities`.',
  query: ListCounterpartiesQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Counterparty), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const now = new Date();
    const page = await listCounterparties(db, caller.tenantId, query, { now, wantsCount });
    const body = page.counterparties.map((counterparty) => viewCounterparty(counterparty, now));
    return { status: 200, body, headers: countHeader(page.total) };
  },
});
