import type { BlockHead } from '../../domain/chain-scan/block.ts';
import type { ChainNode } from '../../chains/chain-node.ts';

/**
 * Finds the last block before `since`, after which scanning misses nothing. Goes back from the tip in steps that double,
 * then bisects the last step: about twenty calls for a week. Throws if the node lacks a block below its tip.
 */
export async function findStart(node: ChainNode, tipHeight: number, since: Date): Promise<BlockHead> {
  let upperHeight = tipHeight + 1;
  let lower = await headAt(node, tipHeight);
  for (let step = 1; lower.time >= since && lower.height > 0; step *= 2) {
    upperHeight = lower.height;
    lower = await headAt(node, Math.max(0, lower.height - step));
  }
  while (upperHeight - lower.height > 1) {
    const middle = await headAt(node, Math.floor((upperHeight + lower.height) / 2));
    if (middle.time < since) lower = middle;
    else upperHeight = middle.height;
  }
  return lower;
}

async function headAt(node: ChainNode, height: number): Promise<BlockHead> {
  const head = await node.headAt(height);
  if (!head) throw new Error('the node does not know a block below its tip');
  return head;
}
