import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { z } from 'zod';
import { getDecision } from '../../db/rules/list-decisions.ts';
import { compiledVersion } from '../../db/rules/load-published.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { Replay, viewReplay } from '../../domain/rules/decision-record.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { ReplayBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const replayDecisionEndpoint = defineEndpoint({
  operationId: 'replayRuleDecision',
  method: 'POST',
  path: '/rule-engine/{id}/replay',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Reproduce a stored decision',
  description:
    'Evaluates the stored facts of a transaction again, with the version and the time of its decision, and states ' +
    'whether the result is the same. Changes nothing. 404 if this configuration has not decided the transaction.',
  params: z.strictObject({ id: UuidParam }),
  body: ReplayBody,
  // The request changes nothing, so a repeat is simply run again.
  idempotency: 'LEASE',
  readsInTurn: true,
  example: { body: { transactionId: ID.transaction } },
  responses: { 200: { description: 'The stored and the repeated decision.', schema: Replay } },
  errors: [],
  async handle({ params, body: { transactionId, sequence }, caller: { tenantId } }, { db }) {
    const { id, direction } = await getConfiguration(db, tenantId, params.id);
    const stored = await getDecision(db, tenantId, { configurationId: id, transactionId, sequence });
    const configuration = { tenantId, configurationId: id, direction };
    const compiled = await compiledVersion(db, configuration, stored.version);
    const context = { spent: stored.spent, now: stored.evaluatedAt.toISOString() };
    const body = viewReplay(stored, await evaluate(compiled, stored.facts, context));
    return { status: 200, body, shows: { kind: 'TRANSACTION', id: transactionId } };
  },
});
