import { insertScreening } from '../../db/sanctions-screenings/insert-screenings.ts';
import { SanctionsSearchBody, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { requireScreenable } from '../../domain/sanctions-screening/subject.ts';
import { defineEndpoint } from '../endpoint.ts';
import { screeningAnswer, screeningRequest } from './screening-request.ts';

export const searchSanctionsEndpoint = defineEndpoint({
  operationId: 'searchSanctions',
  method: 'POST',
  path: '/sanctions/search',
  auth: 'TENANT',
  limit: 'SCREENING',
  idempotency: 'TRANSACTION',
  checksKeyAtWrite: true,
  tag: 'Sanctions',
  summary: 'Screen a person or an organisation',
  description:
    'Searches all active lists, or those named in `lists`. `sanctioned` is true for scores from the `matchThreshold` of ' +
    'the settings; a weak alias alone never makes it true. Without an active list the answer is 503, never "not ' +
    'sanctioned".',
  body: SanctionsSearchBody,
  example: { body: { type: 'NATURAL', name: 'Nicolas Maduro', dateOfBirth: '1962-11-23' } },
  responses: { 200: { description: 'The matches, highest score first.', schema: SanctionsScreening } },
  errors: [],
  async handle({ body, caller, idempotency, commit }, { subjects }) {
    requireScreenable(body, new Date().toISOString().slice(0, 10));
    const prepared = await subjects.prepare(screeningRequest(caller, { kind: 'NAME', body }));
    if (idempotency()) {
      return await commit(async (tx) => {
        await insertScreening(tx, prepared.seal());
        return { status: 200, body: prepared.screening };
      });
    }
    await subjects.store(prepared, caller.cachedKey);
    return screeningAnswer(prepared);
  },
});
