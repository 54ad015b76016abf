import type { Queryable } from '../postgres.ts';

/**
 * Destroys the key of a record, and empties everything that was stored of it in clear or leads to it: addresses, hashes, the
 * tenant's own reference, search tokens. What stays is who exchanged how much of which asset when, and the log.
 */
export async function emptyRecord(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  now: Date,
): Promise<void> {
  await tx.query({
    name: 'empty-transaction',
    text: `update transactions set erased_at = $3, record_key = '', personal = '', search_tokens = '{}', subject_token = null,
             beneficiary_vasp_folded = null, transaction_hash = null, hash_normal = null, return_transaction_hash = null,
             origin = null, origin_normal = null, origin_tag = null,
             destination = '', destination_normal = '', destination_tag = null, destination_wallet_id = null, reference = null
           where tenant_id = $1 and id = $2`,
    values: [tenantId, id, now],
  });
}
