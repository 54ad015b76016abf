/** A block of a chain by height and hash. */
export interface BlockRef {
  height: number;
  hash: string;
}

export interface BlockHead extends BlockRef {
  parentHash: string;
  /** The timestamp of the block. */
  time: Date;
}

/** A transfer of value to an address. Addresses are party keys; see party-key. */
export interface ChainTransfer {
  /** Index of the transaction in the block. */
  transaction: number;
  /** Index of the output in its transaction or of the log in the block; -1 for the value of an EVM transaction itself. */
  position: number;
  asset: string;
  /** Null if only the transaction's inputs determine it. */
  sender: string | null;
  recipient: string;
  /** Base units, above 0. */
  units: bigint;
}

export interface ScannedBlock extends BlockHead {
  /** Hash of each transfer's recipient, see hashRecipient. Most transfers concern nobody and are never read in full. */
  recipientHashes: readonly number[];
  /** The transfer at an index of `recipientHashes`. */
  transferAt: (index: number) => ChainTransfer;
  /** The hash of a transaction by its index. */
  hashOf: (transaction: number) => string;
  /** Indexes of the transactions that have one of these hashes. */
  findTransactions: (hashes: ReadonlySet<string>) => number[];
}

/** Details of a transfer, requested from the node. */
export interface TransferEvidence {
  /** The payers, each once: for Bitcoin the owners of all inputs. Empty for a failed transaction. */
  senders: string[];
  /** The signer, where it may differ from the payer; null where the payer always signs. */
  signer: string | null;
  /** Index of the transfer in its transaction, which stays the same when a fork moves the transaction. */
  position: number;
}

/** The item found at an index. Throws RangeError if there is none. */
export function requireItem<T>(item: T | undefined): T {
  if (item === undefined) throw new RangeError('there is nothing at this index');
  return item;
}
