import { DomainError, notFound } from '../../domain/errors.ts';
import type { Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { insertRow } from '../columns.ts';
import type { Queryable } from '../postgres.ts';
import { falsePositivesKey } from '../sanctions-lists/version-lock.ts';
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
  const match = {
    tenant_id: tenantId,
    subject_token: subjectToken,
    list_code: listCode,
    source_id: listingId,
    row_hash: Buffer.from(entryHash, 'hex'),
  };
  const row = {
    ...match,
    id,
    screening_id: screeningId,
    made_by: madeBy,
    details: keys.seal(sealingContext.suppression.details(tenantId, id), details),
    created_at: createdAt,
    search_tokens: `{${suppressionTokens(keys, suppression).join(',')}}`,
  };
  const { rowCount } = await tx.query(insertRow('screening_suppressions', row, 'on conflict do nothing'));
  if (rowCount) return;
  const { rows } = await tx.query<{ id: string }>(
    `select id from screening_suppressions
     where tenant_id = $1 and subject_token = $2 and list_code = $3 and source_id = $4 and row_hash = $5`,
    Object.values(match),
  );
  throw new DomainError('conflict', 'This match is suppressed already.', {
    members: { id: rows[0]?.id ?? null },
  });
}

/**
 * Deletes a suppression. Transfers that were screened before are compared again before they go on: what it let pass is a match
 * again. The time is one after the wait for the row of the tenant and for the screenings that are being stored, since these do not
 * know of it yet; the next one counts as later from the millisecond after. Throws not_found.
 */
export async function deleteSuppression(db: Queryable, tenantId: string, id: string): Promise<void> {
  const { rowCount } = await db.query(
    `with locked as materialized (
       select id from tenants where id = $1 for no key update
     ), ended as materialized (
       select pg_advisory_xact_lock(${falsePositivesKey('id::text')}) from locked
     ), deleted as (
       delete from screening_suppressions where tenant_id = $1 and id = $2 and exists (select from ended) returning tenant_id
     )
     update tenants t set suppression_removed_at =
       greatest(t.suppression_removed_at, date_trunc('milliseconds', clock_timestamp())) + interval '1 millisecond'
     from deleted d where t.id = d.tenant_id`,
    [tenantId, id],
  );
  if (!rowCount) throw notFound('suppression');
}
