import type { ListEntry, ListedWallet } from '../sanctions/list-entry.ts';
import type { NameMatch } from '../sanctions/search.ts';

/** Where a match was found. */
interface FoundEntry {
  entry: ListEntry;
  /** SHA-256 of the entry, hex: another one as soon as anything in the entry changes. */
  entryHash: string;
  /** Of the list that the entry is in. */
  version: number;
}

/** A match of a name or an identifier, with the whole entry. */
export type FoundMatch = FoundEntry & Omit<NameMatch, 'entry'>;

/** A match of an address: the wallets of the entry that have it, one per asset. */
export type FoundWallet = FoundEntry & { wallets: ListedWallet[] };
