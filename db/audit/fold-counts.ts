import type { SealedAuditEntry } from '../../domain/audit/entry.ts';
import { addMs, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import { insertSql, unnestValues } from '../columns.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { inTransaction } from '../postgres.ts';
import { IS_COUNT } from './count-requests.ts';
import { auditColumns, withMac } from './audit-entry-row.ts';

const BATCH = 2_000;
/** Processes add their counts once a minute. What comes later still becomes an entry, another one of that hour. */
const LATE_MS = 5 * MINUTE_MS;

interface CountRow {
  tenant_id: string;
  hour: Date;
  actor: 'API_KEY' | 'UNKNOWN';
  api_key_id: string;
  operation: string;
  code: string;
  record_id: string;
  requests: number;
}

/** Makes entries of the counts of hours that are over; other rows stay where they are, for checkAuditLogs. True when there may be more. */
export async function foldCounts(db: Database, now: Date): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<CountRow>(
      `delete from audit_counts where ctid = any(array(
         select ctid from audit_counts where hour < $1 and ${IS_COUNT} order by hour limit $2 for update skip locked))
       returning *`,
      [addMs(now, -HOUR_MS - LATE_MS), BATCH],
    );
    const entries = rows.map((row) => withMac(db.vault, toEntry(row, now)));
    if (entries.length > 0)
      await tx.query(insertSql('audit_entries', auditColumns), unnestValues(auditColumns, entries));
    return rows.length === BATCH;
  });
}

function toEntry(row: CountRow, now: Date): SealedAuditEntry {
  return {
    id: newId(now),
    tenantId: row.tenant_id,
    createdAt: now,
    operation: row.operation,
    actor: row.actor,
    userId: null,
    apiKeyId: row.api_key_id || null,
    operator: null,
    status: null,
    code: row.code || null,
    recordId: row.record_id || null,
    items: null,
    parameters: {},
    origin: null,
    hour: row.hour,
    requests: row.requests,
  };
}
