import { z } from 'zod';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getConfigurationEndpoint = defineEndpoint({
  operationId: 'getRuleConfiguration',
  method: 'GET',
  path: '/rule-engine/{id}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'Read a rule configuration',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: { description: 'The configuration.', schema: RuleConfiguration } },
  errors: [],
  async handle({ params, caller }, { db }) {
    return { status: 200, body: viewConfiguration(await getConfiguration(db, caller.tenantId, params.id)) };
  },
});
