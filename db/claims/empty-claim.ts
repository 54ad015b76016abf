import type { Queryable } from '../postgres.ts';

// A mail about the claim names it in `once`; the others are those of its links.
const STEPS = [
  `update claims set record_key = '', personal = '', search_tokens = '{}', transaction_hash = '', hash_normal = '',
     origin = null, origin_normal = null, origin_tag = null, destination = '', destination_normal = '', destination_tag = null
   where tenant_id = $1 and id = $2`,
  `delete from mails m where m.tenant_id = $1 and (m.once like $2::uuid::text || '%'
     or exists (select from portal_links l where l.mail_id = m.id and l.claim_id = $2))`,
  'delete from portal_links where tenant_id = $1 and claim_id = $2',
  `update webhook_deliveries set body = null
   where tenant_id = $1 and resource_kind = 'CLAIM' and resource_id = $2 and body is not null`,
];

/** Destroys the key of a claim, and empties everything that was stored of it in clear or leads to it. */
export async function emptyClaim(
  tx: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  for (const text of STEPS) await tx.query(text, [tenantId, id]);
}
