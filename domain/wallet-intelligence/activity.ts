/** A transfer of value in a wallet's history, or a call without value. */
export interface WalletMovement {
  hash: string;
  /** Seconds since 1970. */
  time: number;
  block: number;
  from: string;
  /** Null if a contract was created. */
  to: string | null;
  /** In base units of its asset. */
  value: bigint;
  /** The contract of a token; null for the native asset. */
  token: string | null;
  /** In wei; null for a token transfer. */
  gasPrice: bigint | null;
  gasLimit: number | null;
  /** The first four bytes of a call's data; null without data. */
  selector: string | null;
}

/** The history of an EVM wallet, newest last; addresses in lower case. */
export interface EvmHistory {
  movements: readonly WalletMovement[];
  truncated: boolean;
}

/** An input or output of a Bitcoin transaction. */
export interface TransactionOutput {
  address: string | null;
  /** Satoshis. */
  value: number;
  /** Esplora's name of the script type: `v0_p2wpkh`, `v1_p2tr`, … */
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

/** The history of a Bitcoin wallet, newest last. */
export interface UtxoHistory {
  transactions: readonly UtxoTransaction[];
  truncated: boolean;
}

/** The on-chain state of an EVM address. */
export interface EvmState {
  /** Lower-case hex with 0x; `0x` if the address is not a contract. */
  code: string;
  /** Number of transactions sent. */
  nonce: number;
  balance: bigint;
  /** The code that a minimal proxy points to; null if the address is not a minimal proxy. */
  implementationCode: string | null;
  /** Whether the agent registry (ERC-8004) contains the address; null if none is configured. */
  isRegisteredAgent: boolean | null;
}

/** The observed behaviour of a wallet. Missing parts are null, with a reason. */
export interface WalletObservation {
  evm: EvmState | null;
  evmHistory: EvmHistory | null;
  utxoHistory: UtxoHistory | null;
  /** Why a part is missing, for callers; null if none is. */
  lack: string | null;
  /** Types of the labelled addresses among its counterparties. */
  labelled: ReadonlyMap<string, string>;
}
