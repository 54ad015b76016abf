import type { Queryable } from '../postgres.ts';

// Watches and observations of its satoshi test name wallets. Its files are deleted by whoever removes marked ones.
const STEPS = [
  `update verifications set erased_at = $3, record_key = '', personal = '', search_tokens = '{}', address = '', address_normal = '',
     verified_transaction_hash = null, satoshi_deposit_address = null, satoshi_deposit_normal = null, reuse_code = null,
     warnings = '[]'
   where tenant_id = $1 and id = $2`,
  'delete from chain_observations where tenant_id = $1 and verification_id = $2',
  'delete from satoshi_watches where tenant_id = $1 and verification_id = $2',
  'delete from signed_messages where tenant_id = $1 and verification_id = $2',
  'delete from proof_attempts where tenant_id = $1 and verification_id = $2',
  'delete from selfie_analyses where tenant_id = $1 and id = $2',
  `update verification_files set state = 'REMOVING', details = null, content_code = null
   where tenant_id = $1 and verification_id = $2 and state <> 'REMOVING'`,
  `update webhook_deliveries set body = null
   where tenant_id = $1 and resource_kind = 'VERIFICATION' and resource_id = $2 and body is not null`,
];

/** Destroys the key of a verification, and empties everything that was stored of it in clear or leads to it. */
export async function emptyVerification(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  now: Date,
): Promise<void> {
  for (const text of STEPS) await tx.query(text, text.includes('$3') ? [tenantId, id, now] : [tenantId, id]);
}
