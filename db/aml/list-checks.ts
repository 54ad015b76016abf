import type { HistoryEntry, HistoryQuery } from '../../domain/aml/history.ts';
import { severityOf } from '../../domain/aml/severity.ts';
import { readPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import type { CheckRow } from './check-row.ts';

type HistoryRow = CheckRow & { fetched_at: Date };

const COLUMNS =
  'id, kind, value, blockchain, provider, status, risk_score, recheck_of, fetched_at, created_at, created_by';

/** One page of a tenant's answered AML checks, newest first. */
export async function listChecks(
  db: Queryable,
  tenantId: string,
  { type, offset, limit }: HistoryQuery,
): Promise<HistoryEntry[]> {
  const matching = sql('aml_checks').select('id').where('tenant_id', tenantId).whereNotNull('sealed');
  whereGiven(matching, { 'kind = ?': type });
  const page = {
    matching: statementOf(matching),
    orderBy: 'created_at desc, id desc',
    rows: `select ${COLUMNS} from page join aml_checks using (id)`,
    range: { start: offset, end: offset + limit, wantsCount: false },
  };
  const { items } = await readPage(db, page, (rows: HistoryRow[]) => rows.map(toHistoryEntry));
  return items;
}

function toHistoryEntry(row: HistoryRow): HistoryEntry {
  return {
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
  };
}
