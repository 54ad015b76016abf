import { z } from 'zod';
import { getBacktest, listChangedDecisions } from '../../db/rules/read-backtests.ts';
import { Backtest, viewBacktest } from '../../domain/rules/backtest.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const getBacktestEndpoint = defineEndpoint({
  operationId: 'getRuleBacktest',
  method: 'GET',
  path: '/rule-engine/{id}/backtests/{backtestId}',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'Read a back-test with its result',
  description:
    'While the back-test runs, the counts so far. `changes` has the first 100 transactions whose decision would have been ' +
    'different, with the trace of every rule and leaf.',
  params: z.strictObject({ id: UuidParam, backtestId: UuidParam }),
  responses: { 200: { description: 'The back-test.', schema: Backtest } },
  errors: [],
  async handle({ params: { id, backtestId }, caller: { tenantId } }, { db }) {
    const record = await getBacktest(db, { tenantId, configurationId: id }, backtestId);
    return { status: 200, body: viewBacktest(record, await listChangedDecisions(db, tenantId, backtestId)) };
  },
});
