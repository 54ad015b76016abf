import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';
import type { ListState } from '../domain/sanctions-screening/list-state.ts';
import type { SearchFindings } from '../domain/sanctions-screening/make-screening.ts';
import type { NameSearch } from './listed-index.ts';

/** Searches the active lists. One per process. */
export interface SanctionsScreener {
  /** Searches for a name. Throws temporarily_unavailable if too many searches wait. */
  searchName: (nameSearch: NameSearch) => Promise<SearchFindings<FoundMatch>>;
  findWallet: (address: string) => Promise<SearchFindings<FoundWallet>>;
  /** All active lists. Throws temporarily_unavailable if there is none, because nobody can then be cleared. */
  activeLists: () => Promise<readonly ListState[]>;
  close: () => Promise<void>;
}
