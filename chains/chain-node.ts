import type {
  BlockHead,
  BlockRef,
  TransferEvidence,
  ScannedBlock,
  ChainTransfer,
} from '../domain/chain-scan/block.ts';

/**
 * What the scanner asks of a chain. Every call has a deadline of its own and goes to the next node address when one
 * does not answer; when none does it throws, and the caller is tried again later.
 */
export interface ChainNode {
  tip: () => Promise<BlockRef>;
  /** undefined when the chain is not that high. */
  headAt: (height: number) => Promise<BlockHead | undefined>;
  /** The block with its transfers; undefined when the chain is not that high any more. */
  blockAt: (height: number) => Promise<ScannedBlock | undefined>;
  /** Who sent a transfer of this block, and whether it happened at all. */
  evidenceOf: (block: ScannedBlock, transfer: ChainTransfer) => Promise<TransferEvidence>;
  /** Whether a transaction that was lost in a fork has its effect in this block. */
  succeeded: (block: ScannedBlock, transaction: number) => Promise<boolean>;
}
