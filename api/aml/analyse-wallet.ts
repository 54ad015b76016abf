import { z } from 'zod';
import { analyseWallet } from '../../aml/analyse.ts';
import { AmlCheck, viewCheck } from '../../domain/aml/check.ts';
import { defineEndpoint } from '../endpoint.ts';

export const analyseWalletEndpoint = defineEndpoint({
  operationId: 'analyseWallet',
  method: 'GET',
  path: '/aml/analysis/{blockchain}/wallet/{address}',
  auth: 'TENANT',
  // A check can cost a credit, so the role OBSERVER is not enough.
  permission: 'DECIDE',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  tag: 'AML',
  summary: 'Check a wallet',
  description:
    "The tenant's AML provider checks the wallet. The result is stored before it is returned and answers further requests " +
    'for 15 minutes, so a repeated request is never paid twice. An unknown wallet has neither score nor severity.',
  params: z.strictObject({ blockchain: z.string(), address: z.string() }),
  responses: { 200: { description: 'The result.', schema: AmlCheck } },
  errors: ['provider_not_activated', 'provider_error', 'provider_unavailable'],
  async handle({ params, caller: { tenantId, actor } }, { aml }) {
    const options = { createdBy: actor.id, acceptStale: true };
    return { status: 200, body: viewCheck(await analyseWallet(aml, tenantId, params, options)) };
  },
});
