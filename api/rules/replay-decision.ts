import { z } from 'zod';
import { getDecision } from '../../db/rules/list-decisions.ts';
import { compiledVersion } from '../../db/rules/load-published.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { Replay, viewReplay } from '../../domain/rules/decision-record.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { ReplayBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const replayDecisionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/rule-engine/{id}/replay',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Prove a stored decision',
  description:
    'Evaluates the stored facts of a transaction again, under the version and at the time of its decision, and says ' +
    'whether the same comes out. Changes nothing. 404 when this configuration has not decided the transaction.',
  params: z.strictObject({ id: UuidParam }),
  body: ReplayBody,
  // It changes nothing: sent again, it is simply done again.
  idempotency: 'NONE',
  responses: { 200: { description: 'The stored and the repeated decision.', schema: Replay } },
  errors: [],
  async handle({ params, body, caller: { tenantId } }, { db }) {
    const { id, direction } = await getConfiguration(db, tenantId, params.id);
    const { transactionId, sequence } = body;
    const stored = await getDecision(db, tenantId, { configurationId: id, transactionId, sequence });
    const place = { tenantId, configurationId: id, direction };
    const compiled = await compiledVersion(db, place, stored.version);
    const circumstances = { spent: stored.spent, now: stored.evaluatedAt.toISOString() };
    return { status: 200, body: viewReplay(stored, await evaluate(compiled, stored.facts, circumstances)) };
  },
});
