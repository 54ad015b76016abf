import type { BlockRef } from '../../domain/chain-scan/block.ts';
import { type Database } from '../database.ts';
import { lockCursor, type ScanCursor } from './cursor.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/**
 * Rolls the cursor back to the last block common to both forks, in one database transaction: observations of later
 * blocks are deleted, accepted ones become ORPHANED. Without a common block the scan starts again. False when another
 * scanner of the chain was faster.
 */
export async function rollBack(
  db: Database,
  chain: string,
  from: BlockRef,
  common: ScanCursor | undefined,
): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    if (!(await lockCursor(tx, chain, from))) return false;
    const above = common?.height ?? -1;
    await forgetSeen(tx, chain, above);
    await tx.query(
      `update chain_observations set state = 'ORPHANED' where chain = $1 and state = 'APPLIED' and height > $2`,
      [chain, above],
    );
    await tx.query('delete from chain_blocks where chain = $1 and height > $2', [chain, above]);
    if (!common) await forgetChain(tx, chain);
    else {
      await tx.query(
        `update chain_cursors set height = $2, hash = $3, block_time = $4, updated_at = now() where chain = $1`,
        [chain, common.height, common.hash, common.time],
      );
    }
    return true;
  });
}

/** Another chain stands in the place of the one that was scanned: its heights are no times of the former one. */
async function forgetChain(tx: Queryable, chain: string): Promise<void> {
  await tx.query('delete from chain_cursors where chain = $1', [chain]);
  await tx.query(
    `update satoshi_watches set from_height = 0 where chain = $1 and state = 'OPEN' and from_height is not null`,
    [chain],
  );
}

async function forgetSeen(tx: Queryable, chain: string, above: number): Promise<void> {
  await tx.query(
    `with gone as (
       delete from chain_observations where chain = $1 and state = 'SEEN' and height > $2
       returning verification_id, is_claim
     )
     update satoshi_watches w set state = 'OPEN' from gone
     where w.verification_id = gone.verification_id and gone.is_claim and w.state = 'CLAIMED'`,
    [chain, above],
  );
}
