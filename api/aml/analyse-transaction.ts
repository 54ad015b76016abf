import { z } from 'zod';
import { analyseTransaction } from '../../aml/analyse.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { DIRECTIONS } from '../../domain/aml/finding.ts';
import { defineEndpoint } from '../endpoint.ts';

export const analyseTransactionEndpoint = defineEndpoint({
  method: 'GET',
  path: '/aml/analysis/{blockchain}/transaction/{txHash}',
  auth: 'TENANT',
  // It may cost a credit, which is more than reading.
  role: 'COMPLIANCE',
  limit: 'SCREENING',
  tag: 'AML',
  summary: 'Check a transaction',
  description:
    'By the provider of the tenant. `address` and `direction` say whose side is looked at, for amlbot and crystal; ' +
    'builtin checks the address and has nothing on a hash alone; scorechain looks at both sides.',
  params: z.strictObject({ blockchain: z.string(), txHash: z.string() }),
  query: z.strictObject({
    address: z.string().optional().describe('The wallet whose side is looked at.'),
    direction: z.enum(DIRECTIONS).optional(),
  }),
  responses: { 200: { description: 'The result.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, query, caller: { tenantId, apiKeyId } }, { aml }) {
    const options = { createdBy: apiKeyId, acceptStale: true };
    const delivered = await analyseTransaction(aml, tenantId, { ...params, ...query }, options);
    return { status: 200, body: viewCheck(delivered) };
  },
});
