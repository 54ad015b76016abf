import { z } from 'zod';
import { AUDIT_ACTORS } from '../../audit/entry.ts';
import type { AuditEntry } from '../../audit/schema.ts';
import { text } from '../../schema-fields.ts';
import { plainColumns, type CsvColumns } from './csv-columns.ts';
import { exportFilter, someOf } from './period.ts';

/** Which entries of the audit log are exported. */
export const AuditFilter = exportFilter('ExportAuditFilter', {
  actor: someOf(AUDIT_ACTORS, 'kinds of actors'),
  operation: z.array(text(100)).min(1).max(100).optional().describe('Only these values of `operation`.'),
  userId: z.uuid().toLowerCase().optional().describe('Only requests of this user.'),
  apiKeyId: z.uuid().toLowerCase().optional().describe('Only requests of this API key.'),
});
export type AuditFilter = z.output<typeof AuditFilter>;

/** The columns of the audit log. */
export const AUDIT_COLUMNS: CsvColumns<AuditEntry> = [
  ...plainColumns<AuditEntry>('id', 'createdAt', 'operation', 'actor', 'userId'),
  ['user.name', ({ user }) => user?.name ?? null],
  ['user.email', ({ user }) => user?.email ?? null],
  ...plainColumns<AuditEntry>('apiKeyId', 'operator', 'status', 'code', 'recordId', 'items'),
  ['parameters', ({ parameters }) => JSON.stringify(parameters)],
  ...plainColumns<AuditEntry>('address', 'requestId', 'hour', 'requests'),
];
