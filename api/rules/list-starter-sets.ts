import { z } from 'zod';
import { STARTER_SETS } from '../../domain/rules/starter-sets.ts';
import { StarterSetView, viewStarterSet } from '../../domain/rules/starter-sets-view.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listStarterSetsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/rule-engine/starter-sets',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List the rule sets to begin with',
  description:
    'Each with a comment on every rule. Nothing of them holds before a draft with them is published.',
  responses: { 200: { description: 'All sets.', schema: z.array(StarterSetView) } },
  errors: [],
  handle: async () => await Promise.resolve({ status: 200, body: STARTER_SETS.map(viewStarterSet) }),
});
