import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';

type ClaimKey = Pick<
  ClaimRecord,
  'tenantId' | 'hashNormal' | 'destinationNormal' | 'blockchainKey' | 'destinationTag'
>;

/** The tenant's open claim for the same transfer; undefined when there is none. */
export async function findOpenClaim(
  db: Queryable,
  { tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag }: ClaimKey,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-open-claim',
    text: `select id from claims where tenant_id = $1 and hash_normal = $2 and destination_normal = $3
        and blockchain_key = $4 and coalesce(destination_tag, '') = coalesce($5, '')
        and direction = 'OUTGOING' and status in ('PENDING', 'DELIVERED')`,
    values: [tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag],
  });
  return rows[0]?.id;
}

/** More claims for one hash and destination than that are not compared: they differ by tag or chain. */
const MAX_CLAIMS = 20;

/** The ids of a receiver's open claims that a message may be of. A chain or tag that is not given fits any. */
export async function findClaimsOf(
  db: Queryable,
  received: Pick<
    TransactionRecord,
    'tenantId' | 'hashNormal' | 'destinationNormal' | 'blockchainKey' | 'destinationTag'
  >,
): Promise<string[]> {
  const { tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag } = received;
  if (hashNormal === null) return [];
  const { rows } = await db.query<{ id: string }>({
    name: 'find-claims-of-message',
    text: `select id from claims where tenant_id = $1 and hash_normal = $2 and destination_normal = $3
        and ($4::text is null or blockchain_key = $4)
        and (destination_tag is null or $5::text is null or destination_tag = $5)
        and direction = 'OUTGOING' and status in ('PENDING', 'DELIVERED')
      order by id limit ${MAX_CLAIMS}`,
    values: [tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag],
  });
  return rows.map(({ id }) => id);
}
