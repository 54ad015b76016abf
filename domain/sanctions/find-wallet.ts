import type { ListEntry, ListedWallet } from './list-entry.ts';
import type { SanctionsIndex } from './sanctions-index.ts';
import { walletKey } from './wallet-key.ts';

/** An entry with those of its wallets that have the searched address, one per asset. */
export interface WalletMatch {
  entry: ListEntry;
  wallets: ListedWallet[];
}

/** The entries that list this address, in the order of the lists. Blockchain and case are ignored. */
export function findWallet(index: SanctionsIndex, address: string): WalletMatch[] {
  const key = walletKey(address);
  return (index.wallets.get(key) ?? []).flatMap((number) => {
    const entry = index.entries[number];
    if (entry === undefined) return [];
    return [{ entry, wallets: entry.wallets.filter((wallet) => walletKey(wallet.address) === key) }];
  });
}
