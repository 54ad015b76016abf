import type { Database } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import type { Queryable } from '../postgres.ts';

interface SuppressionQuery {
  tenantId: string;
  subjectToken: bigint;
}

/** An entry that the tenant marked as a false positive for a screened subject; `rowHash` is hex. */
export interface SuppressedEntry {
  listCode: string;
  sourceId: string;
  rowHash: string;
}

const FIND = `
  select (
    select json_agg(json_build_object(
      'listCode', s.list_code, 'sourceId', s.source_id, 'rowHash', encode(s.row_hash, 'hex')))
    from screening_suppressions s where s.tenant_id = w.tenant_id and s.subject_token = w.subject_token
  ) as suppressed
  from unnest($1::uuid[], $2::bigint[]) with ordinality as w(tenant_id, subject_token, place) order by w.place`;

/** Finds the false positives of screened subjects; queries made together share one statement. */
export function suppressionFinder({
  pool,
}: Database): (query: SuppressionQuery) => Promise<readonly SuppressedEntry[]> {
  return naturalBatch<SuppressionQuery, readonly SuppressedEntry[]>({
    maxSize: 128,
    concurrency: 2,
    run: async (batch) => await findAll(pool, batch),
  });
}

async function findAll(
  db: Queryable,
  batch: readonly SuppressionQuery[],
): Promise<(readonly SuppressedEntry[])[]> {
  const { rows } = await db.query<{ suppressed: SuppressedEntry[] | null }>({
    name: 'find-suppressed',
    text: FIND,
    values: [batch.map(({ tenantId }) => tenantId), batch.map(({ subjectToken }) => subjectToken)],
  });
  return rows.map(({ suppressed }) => suppressed ?? []);
}
