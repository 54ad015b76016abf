import { DomainError, notFound } from '../../domain/errors.ts';
import type { Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { Queryable } from '../postgres.ts';
import { suppressionTokens } from './search-tokens.ts';

/** The encrypted part of a suppression: screened name, entry name and note. */
export type SuppressionDetails = Pick<Suppression, 'screenedName' | 'name' | 'note'>;

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
       made_by, details, created_at, search_tokens)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [
      ...match,
      id,
      screeningId,
      madeBy,
      keys.seal(sealingContext.suppression.details(tenantId, id), details),
      createdAt,
      `{${suppressionTokens(keys, suppression).join(',')}}`,
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

/** Deletes a suppression. Throws not_found. */
export async function deleteSuppression(db: Queryable, tenantId: string, id: string): Promise<void> {
  const { rowCount } = await db.query('delete from screening_suppressions where tenant_id = $1 and id = $2', [
    tenantId,
    id,
  ]);
  if (!rowCount) throw notFound('suppression');
}
