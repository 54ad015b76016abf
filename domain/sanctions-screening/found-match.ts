import type { ListEntry, ListedWallet } from '../sanctions/list-entry.ts';
import type { NameMatch } from '../sanctions/search.ts';

/** The list entry of a match. */
interface FoundEntry {
  entry: ListEntry;
  /** SHA-256 of the entry, hex: it changes with any change of the entry. */
  entryHash: string;
  /** Version of the list. */
  version: number;
}

/** A match of a name or an identifier, with the whole entry. */
export type FoundMatch = FoundEntry & Omit<NameMatch, 'entry'>;

/** Whether an equal identifier makes it a match, whatever its score. */
export function isIdentified({ qualifiers }: Pick<FoundMatch, 'qualifiers'>): boolean {
  return qualifiers.some(({ kind }) => kind === 'identifier');
}

/** A match of an address: the wallets of the entry that have it, one per asset. */
export type FoundWallet = FoundEntry & { wallets: ListedWallet[] };
