import type { Queryable } from '../postgres.ts';

/** A transfer in a block that would complete a satoshi test. */
export interface SeenTransfer {
  transactionHash: string;
  /** Number of blocks from the transfer's block to the newest one scanned, both included. */
  confirmations: number;
}

/** The transfer that the scanner has found for a satoshi test, deep enough or not. Undefined before it is in a block. */
export async function findSeenTransfer(
  db: Queryable,
  tenantId: string,
  verificationId: string,
): Promise<SeenTransfer | undefined> {
  const { rows } = await db.query<{ transaction_hash: string; confirmations: number }>(
    `select o.transaction_hash, greatest(c.height - o.height + 1, 1)::int as confirmations
     from chain_observations o join chain_cursors c using (chain)
     where o.tenant_id = $1 and o.verification_id = $2 and o.is_claim and o.state in ('SEEN', 'APPLIED')
     order by o.height desc limit 1`,
    [tenantId, verificationId],
  );
  const [row] = rows;
  return row && { transactionHash: row.transaction_hash, confirmations: row.confirmations };
}
