import type { ListEntry, ListedWallet } from './list-entry.ts';
import type { SanctionsIndex } from './sanctions-index.ts';
import { walletKeys } from './wallet-key.ts';

/** An entry with those of its wallets that have the searched address, one per asset. */
export interface WalletMatch {
  entry: ListEntry;
  wallets: ListedWallet[];
}

/** The entries that list this address in any spelling, in the order of the lists. Blockchain and case are ignored. */
export function findWallet(index: SanctionsIndex, address: string): WalletMatch[] {
  const keys = walletKeys(address);
  const numbers = new Set(keys.flatMap((key) => index.wallets.get(key) ?? []));
  return [...numbers]
    .sort((left, right) => left - right)
    .flatMap((number) => {
      const entry = index.entries[number];
      return entry === undefined ? [] : [{ entry, wallets: walletsWith(entry, keys) }];
    });
}

/** The wallets of an entry whose address has one of the keys. */
function walletsWith(entry: ListEntry, keys: readonly string[]): ListedWallet[] {
  return entry.wallets.filter(({ address }) => walletKeys(address).some((key) => keys.includes(key)));
}
