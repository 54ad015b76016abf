import { z } from 'zod';
import { AddressParam, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { screeningAnswer, screeningRequest } from './screening-request.ts';

export const screenAddressEndpoint = defineEndpoint({
  operationId: 'screenAddress',
  method: 'GET',
  path: '/sanctions/addresses/{address}',
  auth: 'TENANT',
  limit: 'SCREENING',
  readsOutOfTurn: true,
  checksKeyAtWrite: true,
  tag: 'Sanctions',
  summary: 'Screen a wallet address',
  description:
    'Searches all active lists on all chains for exactly this address, ignoring case and spaces around it; an EVM address ' +
    'may lack `0x`. These matches cannot be suppressed. The answer is stored in the history.',
  params: z.object({ address: AddressParam }),
  responses: { 200: { description: 'The lists that contain the address.', schema: SanctionsScreening } },
  errors: [],
  async handle({ params: { address }, caller }, { subjects }) {
    const subject = { kind: 'ADDRESS' as const, address };
    const prepared = await subjects.prepare(screeningRequest(caller, subject));
    await subjects.store(prepared, caller.cachedKey);
    return screeningAnswer(prepared);
  },
});
