import { findBitcoinWallets } from './bitcoin-wallets.ts';
import { findEvmWallets } from './evm-wallets.ts';
import type { SigningWallet } from './signing-wallet.ts';
import { findSolanaWallets } from './solana-wallets.ts';
import { findTronWallets } from './tron-wallets.ts';

/** Wallets put themselves into the page while it loads, some of them a little later. */
const LATE_MS = 1_000;

const INJECTED: Record<string, () => SigningWallet[]> = {
  BITCOIN: findBitcoinWallets,
  SOLANA: findSolanaWallets,
  TRON: findTronWallets,
};

/** Calls `found` with the wallets of this browser for addresses of this format, again when there are more. */
export function findWallets(
  addressFormat: string | null,
  found: (wallets: readonly SigningWallet[]) => void,
): void {
  if (addressFormat === 'EVM') {
    findEvmWallets(found);
    return;
  }
  const look = INJECTED[addressFormat ?? ''];
  if (!look) return;
  found(look());
  setTimeout(() => found(look()), LATE_MS);
}
