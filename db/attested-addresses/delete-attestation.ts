import { notFound } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

/** Withdraws an attestation; messages that were delivered stay delivered. Throws not_found. */
export async function deleteAttestation(db: Queryable, tenantId: string, id: string): Promise<void> {
  const { rowCount } = await db.query('delete from attested_addresses where tenant_id = $1 and id = $2', [
    tenantId,
    id,
  ]);
  if (rowCount === 0) throw notFound('attested address');
}
