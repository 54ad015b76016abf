import { z } from 'zod';
import { recheck } from '../../aml/recheck.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const recheckAmlEndpoint = defineEndpoint({
  operationId: 'recheckAml',
  method: 'GET',
  path: '/aml/search/history/{id}',
  auth: 'TENANT',
  // A check can cost a credit, so the role OBSERVER is not enough.
  permission: 'DECIDE',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'AML',
  summary: 'Repeat an earlier AML check',
  description:
    'With amlbot, the check is read again by the id that amlbot gave it: this updates the entry and costs no credit. An ' +
    'entry without such an id costs a credit once more and then has one. Any other provider gets a new request, which ' +
    'becomes a new entry with `recheckOf`. A repeat within 30 seconds gets the same answer.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The current result.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, caller: { tenantId, actor } }, { aml }) {
    return { status: 200, body: viewCheck(await recheck(aml, tenantId, params.id, actor.id)) };
  },
});
