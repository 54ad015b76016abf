import type { CheckRecord } from '../../domain/aml/check.ts';
import type { ChainCandidate } from '../../domain/aml/search.ts';
import type { Database } from '../database.ts';
import { CHECK_COLUMNS, toCheck, type CheckRow } from './check-row.ts';

/** The tenant's latest check of each candidate that it has checked, by type and blockchain. */
export async function findLastChecks(
  db: Database,
  tenantId: string,
  candidates: readonly ChainCandidate[],
): Promise<CheckRecord[]> {
  const { rows } = await db.pool.query<CheckRow>(
    `select distinct on (kind, blockchain) ${CHECK_COLUMNS} from aml_checks
     where tenant_id = $1 and value = any($2) and sealed is not null
     order by kind, blockchain, created_at desc`,
    [tenantId, [...new Set(candidates.map(({ value }) => value))]],
  );
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.flatMap(({ sealed }) => sealed ?? []),
  );
  return rows.map((row) => toCheck(keys, row));
}
