import { listAuditLog } from '../../db/audit/list-audit-log.ts';
import { AuditEntry, ListAuditLogQuery } from '../../domain/audit/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listAuditLogEndpoint = defineEndpoint({
  operationId: 'listAuditLog',
  method: 'GET',
  path: '/tenant/me/audit-log',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'List the audit log',
  description:
    'Newest first. An entry for each request of a user, with the record or the number of items; for each request, whoever sends ' +
    'it, that needs EXPORT or ADMINISTER, such as files, keys and settings; for sign-ins, right, wrong and locked; and for what ' +
    'operators did to this tenant. Reads by API keys are counted per operation and hour. Entries are never changed or ' +
    'removed. A long log is read page by page with `_after`. `q` finds operations and records by the beginning of their name or id.',
  query: ListAuditLogQuery,
  example: { query: { _actor: ['USER'], _operation: ['signIn', 'listApiKeys'] } },
  responses: { 200: pageOf(AuditEntry) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listAuditLog(db, caller.tenantId, query));
  },
});
