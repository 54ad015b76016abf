/**
 * What a contract wallet was asked and when: its answer is true of this block alone. Kept sealed with the proof, so that
 * it can be asked again.
 */
export interface ContractCheck {
  /** ERC-6492: the wallet was not on the chain yet, or the signature brought its own deployment along. */
  standard: 'ERC1271' | 'ERC6492';
  blockchain: string;
  blockNumber: string;
  blockHash: string;
  /** Keccak-256 of the code at the address; null where there was none yet. */
  codeHash: string | null;
}
