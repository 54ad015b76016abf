import { WAITS_FOR_CHAIN } from '../chain-scan/watches.ts';
import type { Queryable } from '../postgres.ts';

/**
 * Postpones the expiry of a verification whose satoshi test the block scanner still decides: it is checked again at
 * `nextCheck`. False, with nothing written, when the scanner has nothing to decide.
 */
export async function holdForChain(db: Queryable, verificationId: string, nextCheck: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    `update verifications v set wake_at = $2 where v.id = $1 and v.status = 'PENDING' and ${WAITS_FOR_CHAIN}`,
    [verificationId, nextCheck],
  );
  return rowCount === 1;
}
