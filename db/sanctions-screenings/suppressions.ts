import { DomainError, notFound } from '../../domain/errors.ts';
import type { Suppression, SuppressionList } from '../../domain/sanctions-screening/suppression.ts';
import { conditions } from '../conditions.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';

interface SuppressionRow {
  id: string;
  screening_id: string;
  list_code: string;
  source_id: string;
  row_hash: Buffer;
  made_by: Suppression['madeBy'];
  details: Buffer;
  created_at: Date;
}

const COLUMNS = 'id, screening_id, list_code, source_id, row_hash, made_by, details, created_at';

/** The encrypted part of a suppression: screened name, entry name and note. */
type SuppressionDetails = Pick<Suppression, 'screenedName' | 'name' | 'note'>;

interface NewSuppression {
  tenantId: string;
  keys: TenantKeys;
  subjectToken: bigint;
  suppression: Suppression;
}

/** Stores a suppression. Throws conflict with the `id` of an equal one. */
export async function insertSuppression(
  tx: Queryable,
  { tenantId, keys, subjectToken, suppression }: NewSuppression,
): Promise<void> {
  const { id, screeningId, listCode, listingId, entryHash, madeBy, createdAt } = suppression;
  const { screenedName, name, note } = suppression;
  const details: SuppressionDetails = { screenedName, name, note };
  const match = [tenantId, subjectToken, listCode, listingId, Buffer.from(entryHash, 'hex')];
  const { rowCount } = await tx.query(
    `insert into screening_suppressions (tenant_id, subject_token, list_code, source_id, row_hash, id, screening_id,
       made_by, details, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    [
      ...match,
      id,
      screeningId,
      madeBy,
      keys.seal(sealingContext.suppression.details(tenantId, id), details),
      createdAt,
    ],
  );
  if (rowCount) return;
  const { rows } = await tx.query<{ id: string }>(
    `select id from screening_suppressions
     where tenant_id = $1 and subject_token = $2 and list_code = $3 and source_id = $4 and row_hash = $5`,
    match,
  );
  throw new DomainError('conflict', 'This match is suppressed already.', {
    members: { id: rows[0]?.id ?? null },
  });
}

export interface SuppressionPage {
  suppressions: Suppression[];
  /** Undefined when the caller did not want it. */
  total: number | undefined;
}

/** One page of a tenant's suppressions; `q` is an id of one or of an entry. */
export async function listSuppressions(
  { pool, vault }: Database,
  tenantId: string,
  { filters, q, order, start, end }: SuppressionList,
  wantsCount: boolean,
): Promise<SuppressionPage> {
  const where = conditions();
  where.where(tenantId, (value) => `tenant_id = ${value}`);
  where.where(filters.listCode, (value) => `list_code = ${value}`);
  where.where(q?.trim(), (value) => `(id::text = lower(${value}) or source_id = ${value})`);
  const [page, count] = await Promise.all([
    pool.query<SuppressionRow>(
      `select ${COLUMNS} from screening_suppressions where ${where.sql}
       order by created_at ${order}, id ${order} offset ${start} limit ${end - start}`,
      where.values,
    ),
    wantsCount
      ? pool.query<{ total: number }>(
          `select count(*) as total from screening_suppressions where ${where.sql}`,
          where.values,
        )
      : undefined,
  ]);
  const keys = await vault.tenantKeys(
    tenantId,
    page.rows.map(({ details }) => details),
  );
  return {
    suppressions: page.rows.map((row) => toSuppression(keys, tenantId, row)),
    total: count?.rows[0]?.total,
  };
}

function toSuppression(keys: TenantKeys, tenantId: string, row: SuppressionRow): Suppression {
  const { screenedName, name, note } = keys.open<SuppressionDetails>(
    sealingContext.suppression.details(tenantId, row.id),
    row.details,
  );
  return {
    id: row.id,
    screeningId: row.screening_id,
    screenedName,
    listCode: row.list_code,
    listingId: row.source_id,
    name,
    entryHash: row.row_hash.toString('hex'),
    note,
    madeBy: row.made_by,
    createdAt: row.created_at.toISOString(),
  };
}

/** Deletes a suppression. Throws not_found. */
export async function deleteSuppression(db: Queryable, tenantId: string, id: string): Promise<void> {
  const { rowCount } = await db.query('delete from screening_suppressions where tenant_id = $1 and id = $2', [
    tenantId,
    id,
  ]);
  if (!rowCount) throw notFound('suppression');
}
