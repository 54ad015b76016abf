import { z } from 'zod';
import { endBacktest } from '../../db/rules/end-backtest.ts';
import { getBacktest } from '../../db/rules/read-backtests.ts';
import { BacktestSummary, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const cancelBacktestEndpoint = defineEndpoint({
  operationId: 'cancelRuleBacktest',
  method: 'POST',
  path: '/rule-engine/{id}/backtests/{backtestId}/cancel',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Cancel a back-test',
  description: 'Its counts so far stay. A back-test that has already ended does not change.',
  params: z.strictObject({ id: UuidParam, backtestId: UuidParam }),
  idempotency: 'TRANSACTION',
  responses: { 200: { description: 'The ended back-test.', schema: BacktestSummary } },
  errors: [],
  async handle({ params: { id, backtestId }, caller: { tenantId }, commit }, { db }) {
    const configuration = { tenantId, configurationId: id };
    return await commit(async (tx) => {
      await getBacktest(db, configuration, backtestId, tx);
      await endBacktest(tx, tenantId, backtestId, 'CANCELLED');
      return { status: 200, body: viewBacktestSummary(await getBacktest(db, configuration, backtestId, tx)) };
    });
  },
});
