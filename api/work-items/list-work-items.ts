import { listWorkItems } from '../../db/work-items/list-work-items.ts';
import {
  KEY_ENDS_IN_DAYS,
  ListWorkItemsQuery,
  viewWorkItem,
  WorkItem,
} from '../../domain/work-items/work-item.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listWorkItemsEndpoint = defineEndpoint({
  operationId: 'listWorkItems',
  method: 'GET',
  path: '/work-items',
  auth: 'TENANT',
  audit: 'WATCH',
  limit: 'READS',
  tag: 'Proposals',
  summary: 'List everything that waits for a person',
  description:
    'Transactions to review, to confirm the wallet of, to route or to try again; verifications and steps to review; proposals; ' +
    'rules that are drafted and not published, or guarded; counterparties whose review is due; transactions that have lacked a ' +
    'hash, an answer or a message for too long (RECONCILIATION, as in `GET /reconciliation`); a webhook endpoint that was ' +
    `disabled; API keys that end within ${KEY_ENDS_IN_DAYS} days; service keys that the provider refuses. Newest first. A held ` +
    'transaction with a proposal is listed beside it: one person may still block it. `_after` continues behind an item, at the ' +
    'same cost however far. The audit log has no entries of users who ask here.',
  query: ListWorkItemsQuery,
  example: { query: { _kind: ['TRANSACTION', 'PROPOSAL'], _sort: 'since' } },
  responses: { 200: pageOf(WorkItem) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listWorkItems(db.pool, caller.tenantId, query), viewWorkItem);
  },
});
