import type { AddressFormat, Blockchain } from '../../blockchains.ts';

/** How the text was signed, by the name of the standard. BIP137 stands for the same form on Bitcoin's relatives too. */
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

/** The schemes in which an address of this chain can be proven; none when the chain has no signature proof. */
export function signatureSchemesOf({ addressFormat }: Blockchain): readonly SignatureScheme[] {
  return SCHEMES[addressFormat] ?? [];
}
