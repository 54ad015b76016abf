import { RuleFields, viewFields } from '../../domain/rules/fields-view.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listFieldsEndpoint = defineEndpoint({
  operationId: 'listRuleFields',
  method: 'GET',
  path: '/rule-engine/fields',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List the fields that rules can compare',
  description: 'Each field with its type, operators, allowed values and unit; and the limits of a rule set.',
  responses: { 200: { description: 'All fields.', schema: RuleFields } },
  errors: [],
  handle: async () => await Promise.resolve({ status: 200, body: viewFields() }),
});
