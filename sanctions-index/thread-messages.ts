import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import type { IndexQuestion } from './listed-index.ts';

/** What the thread is started with. */
export interface ThreadData {
  databaseUrl: string;
}

/** Names to be searched for, together; answered together. */
export interface AskMessage {
  id: number;
  asks: readonly IndexQuestion[];
}

/** An entry with wallets, for look-ups that must not wait behind searches. */
export type WalletEntry = Pick<FoundMatch, 'entry' | 'entryHash' | 'version'>;

export type ThreadMessage =
  | { kind: 'READY'; lists: readonly UsedList[]; wallets: readonly WalletEntry[] }
  | { kind: 'ANSWERS'; id: number; answers: readonly (readonly FoundMatch[] | null)[] };
