import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { insertBacktest } from '../../db/rules/insert-backtest.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { BacktestSummary, newBacktest, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { nameRuleFault } from '../../domain/rules/publish.ts';
import { StartBacktestBody } from '../../domain/rules/requests.ts';
import { invalidField } from '../../domain/errors.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { rulesToTry } from './rules-to-try.ts';

export const startBacktestEndpoint = defineEndpoint({
  method: 'POST',
  path: '/rule-engine/{id}/backtest',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Try rules on what was decided before',
  description:
    'Evaluates the last decision of each transaction that was made in the given time again, from its stored facts. Runs ' +
    'in the background, one at a time for a tenant (409), and decides nothing. The rules are those of this moment.',
  params: z.strictObject({ id: UuidParam }),
  body: StartBacktestBody,
  refineRefusal: nameRuleFault,
  responses: { 202: { description: 'It runs.', schema: BacktestSummary } },
  errors: ['rules_invalid'],
  async handle({ params, body, caller: { tenantId }, commit }, { db }) {
    const now = new Date();
    const { from, to } = body;
    if (from > to) throw invalidField('/to', 'before_from', '`to` must not be before `from`.');
    const read = await getConfiguration(db, tenantId, params.id);
    const record = newBacktest(newId(now), read.id, rulesToTry(read, body), { from, to, now });
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const outbox = await insertBacktest(tx, tenantId, record, keys);
      return { status: 202, body: viewBacktestSummary(record), outbox };
    });
  },
});
