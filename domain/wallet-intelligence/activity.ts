/** A movement of value in a wallet's history, or a call without value. */
export interface WalletMovement {
  hash: string;
  /** Seconds since 1970. */
  time: number;
  block: number;
  from: string;
  /** Null: a contract was made. */
  to: string | null;
  /** In the smallest unit of its asset. */
  value: bigint;
  /** The contract of a token; null is the native asset. */
  token: string | null;
  /** In wei; null of a token's transfer. */
  gasPrice: bigint | null;
  gasLimit: number | null;
  /** The first four bytes of a call's data; null without any. */
  selector: string | null;
}

/** What an EVM wallet did, newest last; addresses in lower case. */
export interface EvmHistory {
  movements: readonly WalletMovement[];
  truncated: boolean;
}

/** One side of a Bitcoin transaction. */
export interface TransactionOutput {
  address: string | null;
  /** Satoshis. */
  value: number;
  /** `v0_p2wpkh`, `v1_p2tr`, … as Esplora calls it. */
  type: string;
}

export interface UtxoTransaction {
  id: string;
  /** Seconds since 1970; null while unconfirmed. */
  time: number | null;
  block: number | null;
  /** Satoshis per virtual byte. */
  feeRate: number;
  inputs: readonly TransactionOutput[];
  outputs: readonly TransactionOutput[];
}

/** What a Bitcoin wallet did, newest last. */
export interface UtxoHistory {
  transactions: readonly UtxoTransaction[];
  truncated: boolean;
}

/** What stands at an EVM address. */
export interface EvmState {
  /** Lower-case hex with 0x; `0x` is no contract. */
  code: string;
  /** Transactions that it has sent. */
  nonce: number;
  balance: bigint;
  /** The code that a minimal proxy points to; null when it is none. */
  implementationCode: string | null;
  /** Whether the registry of agents (ERC-8004) knows the address; null where none is configured. */
  isRegisteredAgent: boolean | null;
}

/** Everything that could be found out about what a wallet does; a missing part comes with its reason. */
export interface WalletObservation {
  evm: EvmState | null;
  evmHistory: EvmHistory | null;
  utxoHistory: UtxoHistory | null;
  /** Why something is missing, for callers; null when nothing is. */
  lack: string | null;
  /** Labelled addresses among its counterparties, with their types. */
  labelled: ReadonlyMap<string, string>;
}
