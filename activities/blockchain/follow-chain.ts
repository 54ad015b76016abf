import { beginScan, readBlocks, readCursor, type ScanCursor } from '../../db/chain-scan/cursor.ts';
import { recordBlock } from '../../db/chain-scan/record-block.ts';
import { rollBack } from '../../db/chain-scan/roll-back.ts';
import { findOrphanedHashes } from '../../db/chain-scan/settle.ts';
import { pinHeights } from '../../db/chain-scan/watches.ts';
import { earliestInterest } from '../../db/chain-scan/work.ts';
import type { Database } from '../../db/database.ts';
import type { BlockRef } from '../../domain/chain-scan/block.ts';
import type { ChainNode } from '../../chains/chain-node.ts';
import { findStart } from './find-start.ts';
import { observeBlock } from './observe-block.ts';

export interface FollowOptions {
  db: Database;
  chain: string;
  node: ChainNode;
  /** Called after each block; true ends the round, whatever is left. */
  isOver: () => boolean;
}

export interface FollowResult {
  cursor: ScanCursor;
  tip: BlockRef;
  /** Blocks that were read in this round. */
  blocks: number;
}

/** Forks in one round; with more the chain does not stand still long enough, and the next round goes on. */
const MAX_FORKS = 8;

/**
 * Reads the chain from where it was left to its tip, back over every fork on the way. undefined when nothing waits, or
 * when another scanner of the chain was faster.
 */
export async function followChain(follow: FollowOptions): Promise<FollowResult | undefined> {
  const { db, chain, node } = follow;
  const tip = await node.tip();
  await pinHeights(db.pool, chain, tip.height);
  let blocks = 0;
  for (let forks = 0; forks < MAX_FORKS;) {
    const cursor = (await readCursor(db.pool, chain)) ?? (await begin(follow, tip));
    if (!cursor) return undefined;
    const isOff = tip.height < cursor.height || (tip.height === cursor.height && tip.hash !== cursor.hash);
    const step = isOff ? 'FORK' : await readOn(follow, cursor, tip);
    if (step === 'BEATEN') return undefined;
    if (step !== 'FORK') return { ...step, tip, blocks: blocks + step.blocks };
    forks += 1;
    const at = (await readCursor(db.pool, chain)) ?? cursor;
    blocks += at.height > cursor.height ? at.height - cursor.height : 0;
    if (!(await goBack(follow, at, tip))) return undefined;
  }
  return undefined;
}

/** Where no scan stands: just before the first moment that matters, or the tip when that is later. */
async function begin({ db, chain, node }: FollowOptions, tip: BlockRef): Promise<ScanCursor | undefined> {
  const since = await earliestInterest(db.pool, chain);
  if (!since) return undefined;
  await beginScan(db.pool, chain, await findStart(node, tip.height, since));
  return await readCursor(db.pool, chain);
}

type FollowStep = { cursor: ScanCursor; blocks: number } | 'FORK' | 'BEATEN';

async function readOn(
  { db, chain, node, isOver }: FollowOptions,
  from: ScanCursor,
  tip: BlockRef,
): Promise<FollowStep> {
  const orphaned = await findOrphanedHashes(db.pool, chain);
  let cursor = from;
  let blocks = 0;
  while (cursor.height < tip.height) {
    const block = await node.blockAt(cursor.height + 1);
    if (block?.parentHash !== cursor.hash) return 'FORK';
    const seen = await observeBlock({ db: db.pool, chain, node }, block, orphaned);
    if (!(await recordBlock(db, chain, cursor, seen))) return 'BEATEN';
    cursor = { height: block.height, hash: block.hash, time: block.time };
    blocks += 1;
    if (isOver()) break;
  }
  return { cursor, blocks };
}

/** Back to the newest remembered block that the node's chain has too. */
async function goBack({ db, chain, node }: FollowOptions, from: ScanCursor, tip: BlockRef): Promise<boolean> {
  let common: ScanCursor | undefined;
  for (const block of await readBlocks(db.pool, chain, tip.height)) {
    const hash = block.height === tip.height ? tip.hash : (await node.headAt(block.height))?.hash;
    if (hash === block.hash) {
      common = block;
      break;
    }
  }
  return await rollBack(db, chain, from, common);
}
