import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { shown, text } from '../schema-fields.ts';
import { AUDIT_ACTORS } from './entry.ts';

/** An entry of an audit log in responses. */
export const AuditEntry = z
  .strictObject({
    id: z.uuid(),
    createdAt: z.iso.datetime(),
    tenantId: shown.describe('The tenant in whose log it is; null for the log of the deployment.'),
    operation: z.string().describe('The `operationId` of the endpoint.'),
    actor: z
      .enum(AUDIT_ACTORS)
      .describe('UNKNOWN is nobody who is signed in, such as somebody who tries a password.'),
    userId: shown.describe('The user who sent the request.'),
    user: z
      .strictObject({ id: z.string(), name: shown, email: z.string() })
      .nullable()
      .describe('The user as they are called now.'),
    apiKeyId: shown.describe('The API key that sent the request.'),
    operator: shown.describe('The name of the operator’s key.'),
    status: z.int().nullable().describe('The HTTP status; null for counted requests.'),
    code: shown.describe('The error code of a refusal.'),
    recordId: shown.describe(
      'The record that the request names or that it made; of a sign-in that was refused, the user.',
    ),
    items: z.int().nullable().describe('How many items a list had.'),
    parameters: z
      .record(z.string(), shown)
      .describe(
        'The parameters that were given, and choices in the bodies of exports, brakes, legal holds, reviews and erasures. A value that may name a person or a wallet is left out: null.',
      ),
    address: shown.describe(
      'The address of the client, of IPv6 its network of 56 bits; null for counted requests and, for tenants, of operators.',
    ),
    requestId: shown.describe('The `X-Request-Id`; null where `address` is.'),
    hour: shown.describe(
      'The beginning of the hour in which these requests were counted; null for a single one.',
    ),
    requests: z.int().describe('How many requests were counted; 1 for a single one.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntry>;

const filters = {
  _after: z
    .uuid()
    .toLowerCase()
    .describe('The entries after this one, in the order of the list: the next page.'),
  _from: Timestamp,
  _to: Timestamp,
  _actor: oneOrMore(z.enum(AUDIT_ACTORS)),
  _operation: oneOrMore(text(100)),
  _recordId: text(100),
};

/** The query of `GET /tenant/me/audit-log`. */
export const ListAuditLogQuery = listQuery({
  sortable: ['createdAt'],
  filters: { ...filters, _userId: z.uuid().toLowerCase(), _apiKeyId: z.uuid().toLowerCase() },
});
export type AuditList = z.output<typeof ListAuditLogQuery>;

/** The query of `GET /operator/audit-log`. */
export const ListOperatorAuditLogQuery = listQuery({
  sortable: ['createdAt'],
  filters: { ...filters, _tenantId: z.uuid().toLowerCase(), _operator: text(100) },
});
export type OperatorAuditList = z.output<typeof ListOperatorAuditLogQuery>;
