import { listGaps } from '../../db/reconciliation/list-gaps.ts';
import {
  GRACE_HOURS,
  ListReconciliationQuery,
  ReconciliationItem,
  viewGap,
} from '../../domain/reconciliation/gap.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listReconciliationEndpoint = defineEndpoint({
  operationId: 'listReconciliation',
  method: 'GET',
  path: '/reconciliation',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Claims',
  summary: 'List transactions that lack a hash, an answer or a message',
  description:
    `CONFIRMED transactions without a transaction hash ${GRACE_HOURS.HASH_MISSING} hours after their creation; OUTGOING ones ` +
    `without an answer after ${GRACE_HOURS.ANSWER_MISSING} hours; deposits that you have recorded yourself (INCOMING) and that no ` +
    `message has reached after ${GRACE_HOURS.MESSAGE_MISSING} hours. Each has its next action. CLAIM: one call of ` +
    '`POST /transactions/{id}/claim` asks the originator VASP for the data. DECIDE_ON_ASSETS: the claim has brought no message. ' +
    'What waits for a person is among the work items too. `q` finds a `reference`, or the start of an id.',
  query: ListReconciliationQuery,
  example: { query: { _kind: ['MESSAGE_MISSING'], _sort: 'since' } },
  responses: { 200: pageOf(ReconciliationItem) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listGaps(db.pool, caller.tenantId, query), viewGap);
  },
});
