import { z } from 'zod';
import { listVersions } from '../../db/rules/versions.ts';
import { RuleVersionSummary } from '../../domain/rules/configuration.ts';
import { ListVersionsQuery } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listVersionsEndpoint = defineEndpoint({
  operationId: 'listRuleVersions',
  method: 'GET',
  path: '/rule-engine/{id}/versions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List the published versions',
  description:
    'Newest first, each with its publisher, time and comment. `q` finds version numbers, and content hashes by prefix.',
  params: z.strictObject({ id: UuidParam }),
  query: ListVersionsQuery,
  responses: { 200: pageOf(RuleVersionSummary) },
  errors: [],
  async handle({ params, query, caller }, { db }) {
    const configuration = { tenantId: caller.tenantId, configurationId: params.id };
    return answerPage(await listVersions(db, configuration, query));
  },
});
