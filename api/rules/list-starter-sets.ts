import { z } from 'zod';
import { STARTER_SETS } from '../../domain/rules/starter-sets.ts';
import { StarterSetView, viewStarterSet } from '../../domain/rules/starter-sets-view.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listStarterSetsEndpoint = defineEndpoint({
  operationId: 'listRuleStarterSets',
  method: 'GET',
  path: '/rule-engine/starter-sets',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List the starter sets of rules',
  description:
    'Each set has a comment on every rule. A set has no effect until it is loaded into the draft and published.',
  responses: { 200: { description: 'All sets.', schema: z.array(StarterSetView) } },
  errors: [],
  handle: async () => await Promise.resolve({ status: 200, body: STARTER_SETS.map(viewStarterSet) }),
});
