import type { CheckRecord } from '../../domain/aml/check.ts';
import { isProviderFaultCode, type ProviderFaultCode } from '../../domain/aml/fault.ts';
import type { AmlSubject } from '../../domain/aml/finding.ts';
import type { HistoryEntry, HistoryQuery } from '../../domain/aml/history.ts';
import type { ProviderCode } from '../../domain/aml/service-key.ts';
import { severityOf } from '../../domain/aml/severity.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { CHECK_COLUMNS, toCheck, type CheckRow } from './check-row.ts';
import { requestKey } from './claim-check.ts';
import type { Queryable } from '../postgres.ts';

/** Opens a row that has an answer. */
export async function openCheck(db: Database, row: CheckRow): Promise<CheckRecord> {
  const keys = await db.vault.tenantKeys(row.tenant_id, row.sealed ? [row.sealed] : []);
  return toCheck(keys, row);
}

/** An entry of the history. Throws not_found, also for somebody else's. */
export async function getCheck(db: Database, tenantId: string, id: string): Promise<CheckRecord> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2 and sealed is not null`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('check');
  return await openCheck(db, rows[0]);
}

/** How far a check is that somebody else asks for; undefined while it is under way. */
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
  // A row that is asked about anew keeps its answer; the fault of this time is told all the same.
  if (isProviderFaultCode(row.fault)) return { fault: row.fault };
  return { check: await openCheck(db, row) };
}

/** The newest stored answer to a question that was fetched after `since`, whether or not it is still good. */
export async function findStored(
  db: Database,
  tenantId: string,
  provider: ProviderCode,
  subject: AmlSubject,
  since: Date,
): Promise<CheckRecord | undefined> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks
     where tenant_id = $1 and provider = $2 and request_key = $3 and sealed is not null and fetched_at >= $4
     order by created_at desc, id desc limit 1`,
    [tenantId, provider, requestKey(subject), since],
  );
  return rows[0] && (await openCheck(db, rows[0]));
}

/** A page of the tenant's history, newest first. */
export async function listChecks(
  db: Queryable,
  tenantId: string,
  { type, offset, limit }: HistoryQuery,
): Promise<HistoryEntry[]> {
  const { rows } = await db.query<CheckRow & { fetched_at: Date }>(
    `select id, kind, value, blockchain, provider, status, risk_score, recheck_of, fetched_at, created_at, created_by
     from aml_checks where tenant_id = $1 and sealed is not null and ($2::text is null or kind = $2)
     order by created_at desc, id desc offset $3 limit $4`,
    [tenantId, type ?? null, offset, limit],
  );
  return rows.map((row) => ({
    id: row.id,
    type: row.kind,
    query: row.value,
    blockchain: row.blockchain,
    provider: row.provider,
    status: row.status ?? 'COMPLETE',
    riskScore: row.risk_score,
    riskSeverity: severityOf(row.risk_score),
    recheckOf: row.recheck_of,
    fetchedAt: row.fetched_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
  }));
}
