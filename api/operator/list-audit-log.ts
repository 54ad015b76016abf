import { listOperatorAuditLog } from '../../db/audit/list-audit-log.ts';
import { AuditEntry, ListOperatorAuditLogQuery } from '../../domain/audit/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listOperatorAuditLogEndpoint = defineEndpoint({
  operationId: 'listOperatorAuditLog',
  method: 'GET',
  path: '/operator/audit-log',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List what operators did',
  description:
    'Newest first: all that operators did and tried, to a tenant or not; a tenant sees what was done to it in its own log. Tries to ' +
    'sign in to accounts that do not exist are counted per hour. Entries are never changed or removed.',
  query: ListOperatorAuditLogQuery,
  example: { query: { _operation: ['createTenant'] } },
  responses: { 200: pageOf(AuditEntry) },
  errors: [],
  async handle({ query }, { db }) {
    return answerPage(await listOperatorAuditLog(db, query));
  },
});
