import { z } from 'zod';
import { listDecisions } from '../../db/rules/list-decisions.ts';
import { RuleDecision, viewDecision } from '../../domain/rules/decision-record.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listTransactionDecisionsEndpoint = defineEndpoint({
  operationId: 'listTransactionDecisions',
  method: 'GET',
  path: '/transactions/{id}/decisions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: "List the rules' decisions on a transaction",
  description:
    'The last decision first, at most 100: each with the version of the rules, the facts, and the result of every rule ' +
    'and leaf. None while the personal data of the transaction is hidden: it is decided when it is released.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: pageOf(RuleDecision, 'The decisions.') },
  errors: [],
  async handle({ params, caller }, { db }) {
    const items = await listDecisions(db, caller.tenantId, params.id);
    // Decisions are numbered from 1 without gaps, so the last number is the total.
    return answerPage({ items, total: items[0]?.sequence ?? 0 }, viewDecision);
  },
});
