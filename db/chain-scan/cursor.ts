import type { BlockHead, BlockRef } from '../../domain/chain-scan/block.ts';
import type { Queryable } from '../postgres.ts';

/** Deeper than every fork that a chain has had; after a deeper one the scan starts again at the newest block. */
export const REMEMBERED_BLOCKS = 256;

/** The newest block that was scanned. */
export interface ScanCursor extends BlockRef {
  time: Date;
}

interface CursorRow {
  height: number;
  hash: string;
  block_time: Date;
}

/** The last scanned block of a chain; undefined while the chain is not scanned. */
export async function readCursor(db: Queryable, chain: string): Promise<ScanCursor | undefined> {
  const { rows } = await db.query<CursorRow>(
    'select height, hash, block_time from chain_cursors where chain = $1',
    [chain],
  );
  return rows[0] && toCursor(rows[0]);
}

/** The stored block headers up to a height, newest first. */
export async function readBlocks(db: Queryable, chain: string, upTo: number): Promise<ScanCursor[]> {
  const { rows } = await db.query<CursorRow>(
    'select height, hash, block_time from chain_blocks where chain = $1 and height <= $2 order by height desc',
    [chain, upTo],
  );
  return rows.map(toCursor);
}

/** Starts the scan of a chain after this block. Changes nothing when another scanner has started it. */
export async function beginScan(db: Queryable, chain: string, block: BlockHead): Promise<void> {
  await db.query(
    `with begun as (
       insert into chain_cursors (chain, height, hash, block_time, updated_at) values ($1, $2, $3, $4, now())
       on conflict do nothing returning chain, height, hash, block_time
     )
     insert into chain_blocks (chain, height, hash, block_time) select * from begun on conflict do nothing`,
    [chain, block.height, block.hash, block.time],
  );
}

/**
 * Locks the cursor until the end of the transaction. False when it has moved: another scanner of the chain was
 * faster, and the blocks read here are useless.
 */
export async function lockCursor(tx: Queryable, chain: string, { height, hash }: BlockRef): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select 1 from chain_cursors where chain = $1 and height = $2 and hash = $3 for update',
    [chain, height, hash],
  );
  return rowCount === 1;
}

function toCursor(row: CursorRow): ScanCursor {
  return { height: row.height, hash: row.hash, time: row.block_time };
}
