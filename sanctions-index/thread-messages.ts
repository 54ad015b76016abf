import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import type { NameSearch } from './listed-index.ts';

/** Start data of the thread. */
export interface ThreadData {
  databaseUrl: string;
}

/** A batch of names to search for; the answers come as one message. */
export interface SearchMessage {
  id: number;
  searches: readonly NameSearch[];
}

/** An entry with wallets, for address look-ups, which must not wait behind searches of names. */
export type WalletEntry = Pick<FoundMatch, 'entry' | 'entryHash' | 'version'>;

export type ThreadMessage =
  | { kind: 'READY'; lists: readonly UsedList[]; wallets: readonly WalletEntry[] }
  | { kind: 'ANSWERS'; id: number; answers: readonly (readonly FoundMatch[] | null)[] };
