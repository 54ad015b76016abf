import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';
import type { ListState } from '../domain/sanctions-screening/list-state.ts';
import type { SearchFindings } from '../domain/sanctions-screening/make-screening.ts';
import type { IndexQuestion } from './listed-index.ts';

/** Searches the active lists. One per process. */
export interface SanctionsScreener {
  /** Throws temporarily_unavailable when too many searches wait. */
  searchName: (ask: IndexQuestion) => Promise<SearchFindings<FoundMatch>>;
  findWallet: (address: string) => Promise<SearchFindings<FoundWallet>>;
  /** Every active list. Throws temporarily_unavailable when there is none, since without a list nobody can be found clean. */
  activeLists: () => Promise<readonly ListState[]>;
  close: () => Promise<void>;
}
