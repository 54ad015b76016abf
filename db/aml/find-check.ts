import type { CheckRecord } from '../../domain/aml/check.ts';
import { isProviderFaultCode, type ProviderFaultCode } from '../../domain/aml/fault.ts';
import type { AmlSubject } from '../../domain/aml/finding.ts';
import type { ProviderCode } from '../../domain/aml/service-key.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { CHECK_COLUMNS, toCheck, type CheckRow } from './check-row.ts';
import { requestKey } from './claim-check.ts';

/** Opens a completed row with the keys of its tenant. */
export async function openCheck(db: Database, row: CheckRow): Promise<CheckRecord> {
  const keys = await db.vault.tenantKeys(row.tenant_id, row.sealed ? [row.sealed] : []);
  return toCheck(keys, row);
}

/** Reads a check of the history. Throws not_found, also for a check of another tenant. */
export async function getCheck(db: Database, tenantId: string, id: string): Promise<CheckRecord> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2 and sealed is not null`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('check');
  return await openCheck(db, rows[0]);
}

/** The outcome of a check that another caller started; undefined while it is pending. */
export async function findOutcome(
  db: Database,
  tenantId: string,
  id: string,
): Promise<{ check: CheckRecord } | { fault: ProviderFaultCode } | undefined> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2 and state <> 'PENDING'`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) return undefined;
  // A row that is asked again keeps its old result; the latest fault is returned nevertheless.
  if (isProviderFaultCode(row.fault)) return { fault: row.fault };
  return { check: await openCheck(db, row) };
}

interface StoredCheckQuery {
  tenantId: string;
  provider: ProviderCode;
  subject: AmlSubject;
  since: Date;
}

/** The newest stored check of a subject that was fetched after `since`, expired or not. */
export async function findStored(
  db: Database,
  { tenantId, provider, subject, since }: StoredCheckQuery,
): Promise<CheckRecord | undefined> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks
     where tenant_id = $1 and provider = $2 and request_key = $3 and sealed is not null and fetched_at >= $4
     order by created_at desc, id desc limit 1`,
    [tenantId, provider, requestKey(subject), since],
  );
  return rows[0] && (await openCheck(db, rows[0]));
}
