import { findWatched, findWatches, type WatchQuery } from '../../db/chain-scan/find-watches.ts';
import type { SeenBlock } from '../../db/chain-scan/record-block.ts';
import type { Queryable } from '../../db/postgres.ts';
import type { TransferEvidence, ScannedBlock, ChainTransfer } from '../../domain/chain-scan/block.ts';
import { judgeTransfers, type SatoshiWatch } from '../../domain/verifications/satoshi/judge-transfers.ts';
import type { ChainNode } from '../../chains/chain-node.ts';

/** Transfers that are looked at closely although they cannot be the expected ones: only so many, they are only news. */
const NEAR_MISSES_PER_BLOCK = 10;

interface BlockScan {
  db: Queryable;
  chain: string;
  node: ChainNode;
}

/** What of a block concerns verifications. The node is asked only about transfers that may. */
export async function observeBlock(
  scan: BlockScan,
  block: ScannedBlock,
  orphaned: ReadonlySet<string>,
): Promise<SeenBlock> {
  const arriving = await findWatched(scan.db, scan.chain, block);
  const questions = arriving.map((transfer) => ({ transfer, sender: transfer.sender }));
  const meant = await findWatches(scan.db, scan.chain, questions);
  const evidence = await gatherEvidence(scan, block, chosen(arriving, meant));
  const watches = await withSenders(scan, evidence, meant);
  const candidates = [...evidence].map(([transfer, found]) => ({
    transfer,
    evidence: found,
    watches: watches.get(transfer) ?? [],
  }));
  return {
    block,
    observations: judgeTransfers(candidates, block),
    returned: orphaned.size > 0 ? await returnedOf(scan, block, orphaned) : [],
  };
}

/** All that may be expected ones, and some that may be meant for somebody. */
function chosen(
  arriving: readonly ChainTransfer[],
  meant: ReadonlyMap<ChainTransfer, SatoshiWatch[]>,
): ChainTransfer[] {
  const fitting = new Map(
    arriving.map((transfer) => [transfer, countFitting(transfer, meant.get(transfer) ?? [])]),
  );
  const countOf = (transfer: ChainTransfer) => fitting.get(transfer) ?? 0;
  const exact = asManyAsCount(
    arriving.filter((transfer) => countOf(transfer) > 0),
    countOf,
  );
  // Where only the inputs tell the sender, any transfer to a watched address may come from a watched one.
  const near = arriving.filter(
    (transfer) => countOf(transfer) === 0 && (transfer.sender === null || meant.has(transfer)),
  );
  return [...exact, ...near.slice(0, NEAR_MISSES_PER_BLOCK)];
}

/** The number of watches that the transfer may be expected by. */
function countFitting(transfer: ChainTransfer, watches: readonly SatoshiWatch[]): number {
  return watches.filter(
    ({ asset, units, sender }) =>
      asset === transfer.asset &&
      units === transfer.units &&
      (transfer.sender === null || transfer.sender === sender),
  ).length;
}

/**
 * Of equal transfers of one transaction only as many as watches may expect: each claims one. A transaction may have
 * thousands, which would keep the scanner from all other verifications of the chain.
 */
function asManyAsCount(
  transfers: readonly ChainTransfer[],
  countOf: (transfer: ChainTransfer) => number,
): ChainTransfer[] {
  const taken = new Map<string, number>();
  return transfers.filter((transfer) => {
    const { transaction, asset, units, sender, recipient } = transfer;
    const key = JSON.stringify([transaction, asset, String(units), sender, recipient]);
    const before = taken.get(key) ?? 0;
    taken.set(key, before + 1);
    return before < countOf(transfer);
  });
}

async function gatherEvidence(
  { node }: BlockScan,
  block: ScannedBlock,
  transfers: readonly ChainTransfer[],
): Promise<Map<ChainTransfer, TransferEvidence>> {
  const evidence = new Map<ChainTransfer, TransferEvidence>();
  for (const transfer of transfers) evidence.set(transfer, await node.evidenceOf(block, transfer));
  return evidence;
}

/** Where the senders are known only now, the verifications of these senders come to those found by the amount. */
async function withSenders(
  { db, chain }: BlockScan,
  evidence: ReadonlyMap<ChainTransfer, TransferEvidence>,
  meant: Map<ChainTransfer, SatoshiWatch[]>,
): Promise<Map<ChainTransfer, SatoshiWatch[]>> {
  const questions: WatchQuery[] = [...evidence].flatMap(([transfer, { senders }]) =>
    transfer.sender === null ? senders.map((sender) => ({ transfer, sender })) : [],
  );
  if (questions.length === 0) return meant;
  return await findWatches(db, chain, questions);
}

async function returnedOf(
  { node }: BlockScan,
  block: ScannedBlock,
  orphaned: ReadonlySet<string>,
): Promise<string[]> {
  const returned: string[] = [];
  for (const transaction of block.findTransactions(orphaned)) {
    if (await node.succeeded(block, transaction)) returned.push(block.hashOf(transaction));
  }
  return returned;
}
