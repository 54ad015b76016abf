import { z } from 'zod';
import { recheck } from '../../aml/recheck.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const recheckAmlEndpoint = defineEndpoint({
  method: 'GET',
  path: '/aml/search/history/{id}',
  auth: 'TENANT',
  // It may cost a credit, which is more than reading.
  role: 'COMPLIANCE',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'Look at an earlier AML check again',
  description:
    'With amlbot the check is read again by the id that amlbot gave it, without a credit, and the entry is updated; an ' +
    'entry without that id is paid once more and gets it. With every other provider a fresh request is made: it is a ' +
    'new entry, whose `recheckOf` names this one. A repeat within 30 seconds gets the same answer.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The result of today.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, caller: { tenantId, apiKeyId } }, { aml }) {
    return { status: 200, body: viewCheck(await recheck(aml, tenantId, params.id, apiKeyId)) };
  },
});
