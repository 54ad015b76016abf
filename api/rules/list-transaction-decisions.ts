import { z } from 'zod';
import { listDecisions } from '../../db/rules/list-decisions.ts';
import { RuleDecision, viewDecision } from '../../domain/rules/decision-record.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listTransactionDecisionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/transactions/{id}/decisions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Rule engine',
  summary: 'Read what the rules decided of a transaction',
  description:
    'The last decision first, at most 100: the version, what was known, and how every rule and leaf came out. While the ' +
    'transaction hides its personal data, `facts` and `rules` are null.',
  params: z.strictObject({ id: UuidParam }),
  responses: { 200: pageOf(RuleDecision, 'The decisions.') },
  errors: [],
  async handle({ params, caller }, { db }) {
    const items = await listDecisions(db, caller.tenantId, params.id);
    // Numbers have no gaps: that of the last is the count.
    return answerPage({ items, total: items[0]?.sequence ?? 0 }, viewDecision);
  },
});
