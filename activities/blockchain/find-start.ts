import type { BlockHead } from '../../domain/chain-scan/block.ts';
import type { ChainNode } from '../../chains/chain-node.ts';

/**
 * A block from before a moment, near it: scanning what follows misses nothing from then on. Goes back from the tip in
 * steps that double, then halves the last one: some twenty calls for a week.
 */
export async function findStart(node: ChainNode, tipHeight: number, since: Date): Promise<BlockHead> {
  let after = tipHeight + 1;
  let before = await headAt(node, tipHeight);
  for (let step = 1; before.time >= since && before.height > 0; step *= 2) {
    after = before.height;
    before = await headAt(node, Math.max(0, before.height - step));
  }
  while (after - before.height > 1) {
    const middle = await headAt(node, Math.floor((after + before.height) / 2));
    if (middle.time < since) before = middle;
    else after = middle.height;
  }
  return before;
}

async function headAt(node: ChainNode, height: number): Promise<BlockHead> {
  const head = await node.headAt(height);
  if (!head) throw new Error('the node does not know a block below its tip');
  return head;
}
