import { z } from 'zod';
import { Proposal } from '../../domain/proposals/schema.ts';
import { CreateSuppressionBody, MadeSuppression } from '../../domain/sanctions-screening/suppression.ts';
import { defineEndpoint } from '../endpoint.ts';
import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { suppress } from './suppress.ts';

export const createSuppressionEndpoint = defineEndpoint({
  operationId: 'createSanctionsSuppression',
  method: 'POST',
  path: '/sanctions/suppressions',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Sanctions',
  summary: 'Mark a match as a false positive',
  description:
    'Later screenings of the same subject (same names, birth date, countries, gender and identifiers) leave this entry ' +
    'out and count it in `suppressedMatches`, until the list changes the entry. Exact matches of an address cannot be ' +
    'suppressed: 409. With `settings.fourEyes.suppressions` the first answer is 200 with `proposal`, and nothing is suppressed; a ' +
    'user who did not propose it sends the same, or approves the proposal.',
  body: CreateSuppressionBody,
  example: {
    body: {
      screeningId: ID.screening,
      listCode: 'OFAC_SDN',
      listingId: '22790',
      note: 'Another person: our customer was born in 1990.',
    },
  },
  responses: {
    200: {
      description: 'Proposed.',
      schema: z
        .strictObject({ proposal: Proposal.describe('What waits.') })
        .meta({ id: 'ProposedSuppression' }),
    },
    201: { description: 'Suppressed.', schema: MadeSuppression },
  },
  errors: ['not_found', 'conflict'],
  async handle({ body, caller, commit }, deps) {
    return await suppress(deps, { caller, commit, body, approves: null });
  },
});
