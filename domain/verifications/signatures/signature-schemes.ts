import type { AddressFormat, Blockchain } from '../../blockchains.ts';

/** The standard by which a text was signed. BIP137 includes its variants on chains related to Bitcoin. */
export type SignatureScheme = 'EIP191' | 'BIP137' | 'BIP322' | 'ED25519' | 'TIP191';

const SCHEMES: Partial<Record<AddressFormat, readonly SignatureScheme[]>> = {
  EVM: ['EIP191'],
  BITCOIN: ['BIP137', 'BIP322'],
  LITECOIN: ['BIP137'],
  DOGECOIN: ['BIP137'],
  DASH: ['BIP137'],
  ZCASH: ['BIP137'],
  BITCOIN_CASH: ['BIP137'],
  SOLANA: ['ED25519'],
  TRON: ['TIP191'],
};

/** The signature schemes of a chain; empty if it has no signature proof. */
export function signatureSchemesOf({ addressFormat }: Blockchain): readonly SignatureScheme[] {
  return SCHEMES[addressFormat] ?? [];
}
