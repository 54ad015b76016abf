import { z } from 'zod';
import { deleteBacktest } from '../../db/rules/end-backtest.ts';
import { notFound } from '../../domain/errors.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteBacktestEndpoint = defineEndpoint({
  operationId: 'deleteRuleBacktest',
  method: 'DELETE',
  path: '/rule-engine/{id}/backtests/{backtestId}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Delete a back-test',
  description: 'Deletes the back-test with its result. A running one is ended.',
  params: z.strictObject({ id: UuidParam, backtestId: UuidParam }),
  responses: { 204: { description: 'Deleted.', schema: null } },
  errors: [],
  async handle({ params: { id, backtestId }, caller: { tenantId } }, { db, writeInTurn }) {
    const configuration = { tenantId, configurationId: id };
    if (!(await writeInTurn(tenantId, async () => await deleteBacktest(db.pool, configuration, backtestId))))
      throw notFound('back-test');
    return { status: 204 };
  },
});
