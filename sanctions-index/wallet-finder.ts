import { walletKeys } from '../domain/sanctions/wallet-key.ts';
import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';

/** An entry with wallets, for address look-ups, which must not wait behind searches of names. */
type WalletEntry = Pick<FoundMatch, 'entry' | 'entryHash' | 'version'>;

/** The wallets of the lists by key, in the order of the lists. It can be sent to another thread. */
export interface WalletTable {
  found: FoundWallet[];
  /** Positions in `found`. */
  byKey: Map<string, number[]>;
}

/** An empty table; addWallets fills it. */
export function walletTable(): WalletTable {
  return { found: [], byKey: new Map() };
}

/** Adds the wallets of the next entry: each address once, with all assets that the entry lists it for. */
export function addWallets({ found, byKey }: WalletTable, listed: WalletEntry): void {
  const ofEntry = new Map<string, number>();
  for (const wallet of listed.entry.wallets) {
    const keys = walletKeys(wallet.address);
    const known = keys.map((key) => ofEntry.get(key)).find((position) => position !== undefined);
    const position = known ?? found.push({ ...listed, wallets: [] }) - 1;
    found[position]?.wallets.push(wallet);
    for (const key of keys) {
      ofEntry.set(key, position);
      const positions = byKey.get(key) ?? [];
      if (!positions.includes(position)) byKey.set(key, [...positions, position]);
    }
  }
}

/** Finds the entries that list an address, whatever its spelling and chain, in the order of the lists. */
export function walletFinder({ found, byKey }: WalletTable): (address: string) => FoundWallet[] {
  return (address) => {
    const positions = new Set(walletKeys(address).flatMap((key) => byKey.get(key) ?? []));
    return [...positions].sort((left, right) => left - right).flatMap((position) => found[position] ?? []);
  };
}
