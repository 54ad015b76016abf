import { z } from 'zod';
import { deleteBacktest } from '../../db/rules/end-backtest.ts';
import { notFound } from '../../domain/errors.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteBacktestEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/rule-engine/{id}/backtests/{backtestId}',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Delete a back-test',
  description: 'With its result; one that runs ends.',
  params: z.strictObject({ id: UuidParam, backtestId: UuidParam }),
  responses: { 204: { description: 'It is gone.', schema: null } },
  errors: [],
  async handle({ params: { id, backtestId }, caller: { tenantId } }, { db }) {
    const place = { tenantId, configurationId: id };
    if (!(await deleteBacktest(db.pool, place, backtestId))) throw notFound('back-test');
    return { status: 204 };
  },
});
