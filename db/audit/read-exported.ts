import type { AuditEntry } from '../../domain/audit/schema.ts';
import type { AuditFilter } from '../../domain/exports/resources/audit.ts';
import { columnNames } from '../columns.ts';
import type { Database } from '../database.ts';
import { exportedRows } from '../exported-rows.ts';
import { auditColumns, type AuditRow } from './audit-entry-row.ts';
import { viewTenantEntries } from './list-audit-log.ts';

const BATCH = 500;

/** The entries of the tenant's audit log that fit, in batches, oldest first; all from one state of the database. */
export async function* readExportedAuditLog(
  db: Database,
  tenantId: string,
  { from, until, actor, operation, userId, apiKeyId }: AuditFilter,
): AsyncGenerator<AuditEntry[]> {
  const batches = exportedRows<AuditRow>(db, {
    table: 'audit_entries',
    columns: columnNames(auditColumns),
    tenantId,
    where: {
      'created_at >= ?': from,
      'created_at < ?': until,
      'actor = any(?::text[])': actor,
      'operation = any(?::text[])': operation,
      'user_id = ?::uuid': userId,
      'api_key_id = ?::uuid': apiKeyId,
    },
    orderBy: 'id',
    batch: BATCH,
  });
  for await (const rows of batches) yield await viewTenantEntries(db, tenantId, rows);
}
