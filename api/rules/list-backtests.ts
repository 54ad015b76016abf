import { z } from 'zod';
import { listBacktests } from '../../db/rules/read-backtests.ts';
import { BacktestSummary, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { ListBacktestsQuery } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listBacktestsEndpoint = defineEndpoint({
  operationId: 'listRuleBacktests',
  method: 'GET',
  path: '/rule-engine/{id}/backtests',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List back-tests',
  description: 'Newest first; only the newest 50 are stored. `q` finds ids by prefix, and statuses.',
  params: z.strictObject({ id: UuidParam }),
  query: ListBacktestsQuery,
  responses: { 200: pageOf(BacktestSummary) },
  errors: [],
  async handle({ params, query, caller }, { db }) {
    const configuration = { tenantId: caller.tenantId, configurationId: params.id };
    return answerPage(await listBacktests(db, configuration, query), viewBacktestSummary);
  },
});
