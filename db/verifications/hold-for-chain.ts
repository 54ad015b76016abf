import { WAITS_FOR_CHAIN } from '../chain-scan/watches.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Puts off the end of a verification whose satoshi test the block scanner has still to decide: it is looked at again at
 * `nextLook`. False, and nothing is written, when the scanner has nothing to decide.
 */
export async function holdForChain(db: Queryable, verificationId: string, nextLook: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update verifications v set wake_at = $2 where v.id = $1 and v.status = 'PENDING' and ${WAITS_FOR_CHAIN}`,
    [verificationId, nextLook],
  );
  return rowCount === 1;
}
