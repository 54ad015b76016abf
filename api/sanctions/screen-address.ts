import { z } from 'zod';
import { AddressParam, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { screeningAnswer, screeningRequest } from './screening-request.ts';

export const screenAddressEndpoint = defineEndpoint({
  method: 'GET',
  path: '/sanctions/addresses/{address}',
  auth: 'TENANT',
  limit: 'SCREENING',
  checksKeyAtWrite: true,
  tag: 'Sanctions',
  summary: 'Screen a wallet address',
  description:
    'Trimmed, in any case, over all chains and all active lists; an EVM address with or without `0x`. Only exact matches, ' +
    'which cannot be suppressed. The answer is kept in the history.',
  params: z.object({ address: AddressParam }),
  responses: { 200: { description: 'Who lists it.', schema: SanctionsScreening } },
  errors: [],
  async handle({ params: { address }, caller }, { subjects }) {
    const subject = { kind: 'ADDRESS' as const, address };
    const prepared = await subjects.prepare(screeningRequest(caller, subject));
    await subjects.store(prepared, caller.cachedKey);
    return screeningAnswer(prepared);
  },
});
