import { z } from 'zod';
import { analyseWallet } from '../../aml/analyse.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { defineEndpoint } from '../endpoint.ts';

export const analyseWalletEndpoint = defineEndpoint({
  method: 'GET',
  path: '/aml/analysis/{blockchain}/wallet/{address}',
  auth: 'TENANT',
  // It may cost a credit, which is more than reading.
  role: 'COMPLIANCE',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'Check a wallet',
  description:
    "By the tenant's provider. An answer serves further requests for 15 minutes; it is stored before it is told, so " +
    'that a repeated request is never paid twice. What is not known has neither score nor severity.',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  responses: { 200: { description: 'The result.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, caller: { tenantId, apiKeyId } }, { aml }) {
    const options = { createdBy: apiKeyId, acceptStale: true };
    return { status: 200, body: viewCheck(await analyseWallet(aml, tenantId, params, options)) };
  },
});
