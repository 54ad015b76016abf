/** A block's place in its chain. */
export interface BlockRef {
  height: number;
  hash: string;
}

export interface BlockHead extends BlockRef {
  parentHash: string;
  /** As the block says. */
  time: Date;
}

/** Value that arrives at an address. Addresses in the chain's own short form: see party-key. */
export interface Transfer {
  /** Which transaction of the block. */
  transaction: number;
  /** The output, or the log's number in the block; -1 for the coin that an EVM transaction itself carries. */
  position: number;
  asset: string;
  /** null where only the transaction's inputs tell it. */
  sender: string | null;
  recipient: string;
  /** Base units, above 0. */
  units: bigint;
}

export interface ScannedBlock extends BlockHead {
  /** Of each transfer's recipient: see hashRecipient. Most transfers concern nobody, and nothing more is made of them. */
  places: readonly number[];
  /** By its place in `places`. */
  transferAt: (index: number) => Transfer;
  /** By the number of the transaction. */
  hashOf: (transaction: number) => string;
  /** Numbers of the transactions that have one of these hashes. */
  findTransactions: (hashes: ReadonlySet<string>) => number[];
}

/** What was asked of the node about one transfer. */
export interface TransferEvidence {
  /** Who paid, each once: for Bitcoin the owners of all inputs. Empty for a transaction that failed. */
  senders: string[];
  /** Who signed, where that may be another one; null where paying is signing. */
  signer: string | null;
  /** The transfer's place inside its transaction: stays the same when a fork moves the transaction. */
  position: number;
}

/** What is at an index that was asked for. */
export function listed<T>(item: T | undefined): T {
  if (item === undefined) throw new RangeError('there is nothing at this index');
  return item;
}
