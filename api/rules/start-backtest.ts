import { z } from 'zod';
import { newId } from '../../db/new-id.ts';
import { insertBacktest } from '../../db/rules/insert-backtest.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { BacktestSummary, newBacktest, viewBacktestSummary } from '../../domain/rules/backtest.ts';
import { nameRuleFault } from '../../domain/rules/publish.ts';
import { StartBacktestBody } from '../../domain/rules/requests.ts';
import { invalidField } from '../../domain/errors.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { RULES_BYTES } from './read-rules.ts';
import { rulesToTry } from './rules-to-try.ts';

export const startBacktestEndpoint = defineEndpoint({
  operationId: 'startRuleBacktest',
  method: 'POST',
  path: '/rule-engine/{id}/backtest',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Start a back-test of rules on past decisions',
  description:
    'Evaluates the last decision of each transaction in the given period again, from its stored facts and with the rules ' +
    'as they are now. Runs in the background and changes no decision. A tenant can run one back-test at a time (409).',
  params: z.strictObject({ id: UuidParam }),
  body: StartBacktestBody,
  bodyBytes: RULES_BYTES,
  refineRefusal: nameRuleFault,
  example: { body: { source: 'DRAFT', from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' } },
  responses: { 202: { description: 'Started.', schema: BacktestSummary } },
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
