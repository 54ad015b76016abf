import { z } from 'zod';
import { listConfigurations } from '../../db/rules/read-configurations.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listConfigurationsEndpoint = defineEndpoint({
  operationId: 'listRuleConfigurations',
  method: 'GET',
  path: '/rule-engine',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'Read both rule configurations',
  description: 'OUTGOING and INCOMING, each with its draft and its published rules; every tenant has both.',
  responses: { 200: { description: 'Both.', schema: z.array(RuleConfiguration) } },
  errors: [],
  async handle({ caller }, { db }) {
    const configurations = await listConfigurations(db, caller.tenantId);
    return { status: 200, body: configurations.map(viewConfiguration) };
  },
});
