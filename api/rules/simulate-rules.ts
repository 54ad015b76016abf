import { z } from 'zod';
import { compiledDraft, compiledOf } from '../../db/rules/compiled-rules.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { evaluate } from '../../domain/rules/evaluate.ts';
import { nameRuleFault } from '../../domain/rules/publish.ts';
import { SimulateBody } from '../../domain/rules/requests.ts';
import { RuleSimulation, viewSimulation } from '../../domain/rules/simulation.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { RULES_BYTES } from './read-rules.ts';
import { rulesToTry } from './rules-to-try.ts';

export const simulateRulesEndpoint = defineEndpoint({
  operationId: 'simulateRules',
  method: 'POST',
  path: '/rule-engine/{id}/simulate',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Try rules on a made-up transfer',
  description:
    'Evaluates rules exactly as for a real transfer and returns a trace of every rule and leaf. Nothing is stored and no ' +
    'provider is called, so facts that are not in `input` are missing. DRAFT uses the stored draft, or `rules` instead.',
  params: z.strictObject({ id: UuidParam }),
  body: SimulateBody,
  bodyBytes: RULES_BYTES,
  refineRefusal: nameRuleFault,
  idempotency: 'LEASE',
  readsInTurn: true,
  example: { body: { source: 'DRAFT', input: { amount: '5', asset: 'ETH', amountEur: '18000' } } },
  responses: { 200: { description: 'The decision with its trace.', schema: RuleSimulation } },
  errors: ['rules_invalid'],
  async handle({ params, body, caller }, { db }) {
    const read = await getConfiguration(db, caller.tenantId, params.id);
    const { ruleSet, ...from } = rulesToTry(read, body);
    const { input: facts, spent = [], at = new Date() } = body;
    const { version, revision } = from;
    const compiled =
      revision === null
        ? compiledOf(ruleSet, version === null ? undefined : read.published?.contentHash)
        : compiledDraft(ruleSet, read.id, revision);
    const evaluation = await evaluate(compiled, facts, { spent, now: at.toISOString() });
    const { direction } = read;
    const simulated = { evaluation, compiled, ...from, source: body.source, direction, facts, at };
    return { status: 200, body: viewSimulation(simulated) };
  },
});
