import { listSeals } from '../../db/seals/list-seals.ts';
import { EventSeal, ListSealsQuery } from '../../domain/seals/seal.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listSealsEndpoint = defineEndpoint({
  operationId: 'listEventSeals',
  method: 'GET',
  path: '/tenant/me/seals',
  auth: 'TENANT',
  permission: 'EXPORT',
  audit: 'READ',
  limit: 'READS',
  tag: 'Events',
  summary: 'List the daily seals of the event logs',
  description:
    'Newest first. An hour after the end of each UTC day the deployment signs the last events of all records that changed ' +
    'on it, and the seal of the day before. Whoever keeps a seal can prove later that these events were not changed or ' +
    'removed since: compare `root` with the events of that day, check `jws` with `publicKey`, and `previous` with the ' +
    'seal before. With `sealWebhook` in the settings each one is sent too.',
  query: ListSealsQuery,
  responses: { 200: pageOf(EventSeal) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listSeals(db, caller.tenantId, query));
  },
});
