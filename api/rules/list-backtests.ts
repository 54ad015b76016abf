import { z } from 'zod';
import { listBacktests } from '../../db/rules/read-backtests.ts';
import { BacktestSummary, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { ListBacktestsQuery } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listBacktestsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/rule-engine/{id}/backtests',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'List back-tests',
  description: 'Newest first; the newest 50 are kept. `q` finds ids by prefix, and statuses.',
  params: z.strictObject({ id: UuidParam }),
  query: ListBacktestsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(BacktestSummary), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ params, query, caller }, { db }) {
    const place = { tenantId: caller.tenantId, configurationId: params.id };
    const { backtests, total } = await listBacktests(db, place, query);
    return { status: 200, body: backtests.map(viewBacktestSummary), headers: countHeader(total) };
  },
});
