/**
 * How a contract wallet confirmed a signature. Its answer is only valid at this block. Stored encrypted with the proof,
 * so that the check can be repeated.
 */
export interface ContractCheck {
  /** ERC-6492: the wallet was not deployed yet, or the signature contained its deployment. */
  standard: 'ERC1271' | 'ERC6492';
  blockchain: string;
  blockNumber: string;
  blockHash: string;
  /** Keccak-256 of the code at the address; null if there was none yet. */
  codeHash: string | null;
}
