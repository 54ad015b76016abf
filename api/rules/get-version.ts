import { z } from 'zod';
import { getVersion } from '../../db/rules/versions.ts';
import { RuleVersion, viewVersion } from '../../domain/rules/configuration.ts';
import { defineEndpoint, IdParam, UuidParam } from '../endpoint.ts';

export const getVersionEndpoint = defineEndpoint({
  operationId: 'getRuleVersion',
  method: 'GET',
  path: '/rule-engine/{id}/versions/{version}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'Read a published version with its rules',
  params: z.strictObject({ id: UuidParam, version: IdParam }),
  responses: { 200: { description: 'The version as it was published.', schema: RuleVersion } },
  errors: [],
  async handle({ params: { id, version }, caller }, { db }) {
    const configuration = { tenantId: caller.tenantId, configurationId: id };
    return { status: 200, body: viewVersion(await getVersion(db, configuration, version)) };
  },
});
