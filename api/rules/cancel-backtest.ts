import { z } from 'zod';
import { endBacktest } from '../../db/rules/end-backtest.ts';
import { getBacktest } from '../../db/rules/read-backtests.ts';
import { BacktestSummary, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const cancelBacktestEndpoint = defineEndpoint({
  method: 'POST',
  path: '/rule-engine/{id}/backtests/{backtestId}/cancel',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Cancel a back-test',
  description: 'What it has counted stays. One that has ended stays as it is.',
  params: z.strictObject({ id: UuidParam, backtestId: UuidParam }),
  // Doing it twice is doing it once.
  idempotency: 'NONE',
  responses: { 200: { description: 'It has ended.', schema: BacktestSummary } },
  errors: [],
  async handle({ params: { id, backtestId }, caller: { tenantId } }, { db }) {
    const place = { tenantId, configurationId: id };
    await getBacktest(db, place, backtestId);
    await endBacktest(db.pool, tenantId, backtestId, 'CANCELLED');
    return { status: 200, body: viewBacktestSummary(await getBacktest(db, place, backtestId)) };
  },
});
