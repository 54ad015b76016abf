import { z } from 'zod';
import { PublishedRules } from '../../domain/rules/configuration.ts';
import { PublishBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { publish } from './publish.ts';

export const publishRulesEndpoint = defineEndpoint({
  operationId: 'publishRules',
  method: 'POST',
  path: '/rule-engine/{id}/publish',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Publish the draft',
  description:
    'The draft becomes the next version, which never changes and decides from the next evaluation on. With `revision`, ' +
    'only the draft with that revision is published. If two callers publish at the same time, one of them gets 409. With ' +
    '`settings.fourEyes.rules` the first answer is 200 with `proposal`, and nothing is published; a user who did not propose it ' +
    'sends the same, or approves the proposal.',
  params: z.strictObject({ id: UuidParam }),
  body: PublishBody,
  example: { body: { comment: 'Large transfers are reviewed.' } },
  responses: {
    200: { description: 'Proposed: the configuration as it was.', schema: PublishedRules },
    201: { description: 'The configuration with its new version.', schema: PublishedRules },
  },
  errors: ['rules_invalid'],
  async handle({ params, body, caller, commit }, deps) {
    return await publish(deps, params.id, { caller, commit, body, approves: null });
  },
});
