import { z } from 'zod';
import { analyseTransaction } from '../../aml/analyse.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { DIRECTIONS } from '../../domain/aml/finding.ts';
import { defineEndpoint } from '../endpoint.ts';

export const analyseTransactionEndpoint = defineEndpoint({
  operationId: 'analyseTransaction',
  method: 'GET',
  path: '/aml/analysis/{blockchain}/transaction/{txHash}',
  auth: 'TENANT',
  // A check can cost a credit, so the role OBSERVER is not enough.
  permission: 'DECIDE',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'AML',
  summary: 'Check a transaction',
  description:
    "The tenant's AML provider checks the transaction. amlbot and crystal check the side given by `address` and " +
    '`direction`; builtin checks `address` and finds nothing for a hash alone; scorechain checks both sides.',
  params: z.strictObject({ blockchain: z.string(), txHash: z.string() }),
  query: z.strictObject({
    address: z.string().optional().describe('The wallet whose side of the transaction is checked.'),
    direction: z.enum(DIRECTIONS).optional(),
  }),
  responses: { 200: { description: 'The result.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, query, caller: { tenantId, actor } }, { aml }) {
    const options = { createdBy: actor.id, acceptStale: true };
    const delivered = await analyseTransaction(aml, tenantId, { ...params, ...query }, options);
    return { status: 200, body: viewCheck(delivered) };
  },
});
