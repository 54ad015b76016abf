import { walletKey } from '../domain/sanctions/wallet-key.ts';
import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';

/** An entry with wallets, for address look-ups, which must not wait behind searches of names. */
export type WalletEntry = Pick<FoundMatch, 'entry' | 'entryHash' | 'version'>;

/** Finds the entries that list an address, whatever the chain and the case, in the order of the lists. */
export function walletFinder(entries: readonly WalletEntry[]): (address: string) => FoundWallet[] {
  const byKey = new Map<string, FoundWallet[]>();
  for (const found of entries) {
    for (const key of new Set(found.entry.wallets.map(({ address }) => walletKey(address)))) {
      const wallets = found.entry.wallets.filter(({ address }) => walletKey(address) === key);
      byKey.set(key, [...(byKey.get(key) ?? []), { ...found, wallets }]);
    }
  }
  return (address) => byKey.get(walletKey(address)) ?? [];
}
