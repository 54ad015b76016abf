import type pg from 'pg';
import { findCandidates, findWalletEntries } from '../db/sanctions-search/find-candidates.ts';
import type { FoundMatch, FoundWallet } from '../domain/sanctions-screening/found-match.ts';
import type { UsedList } from '../domain/sanctions-screening/list-state.ts';
import type { SearchFindings } from '../domain/sanctions-screening/make-screening.ts';
import { ListedIndexBuilder, type NameSearch } from './listed-index.ts';
import { addWallets, walletFinder, walletTable } from './wallet-finder.ts';

/** Replaces the index while none is loaded: PostgreSQL finds candidates, the same engine scores them. */
export interface DatabaseSearch {
  searchName: (nameSearch: NameSearch, lists: readonly UsedList[]) => Promise<SearchFindings<FoundMatch>>;
  findWallet: (address: string, lists: readonly UsedList[]) => Promise<SearchFindings<FoundWallet>>;
}

export function databaseSearch(pool: pg.Pool): DatabaseSearch {
  return {
    async searchName({ query, options }, lists) {
      const requested = options.lists;
      const searched = lists.filter(({ code }) => requested === undefined || requested.includes(code));
      const builder = new ListedIndexBuilder();
      for (const entry of await findCandidates(pool, query, searched)) builder.add(entry);
      const matches = builder.build().search({ query, options: { ...options, everyName: true } });
      return { matches, lists, answeredBy: 'DATABASE' };
    },
    async findWallet(address, lists) {
      const entries = await findWalletEntries(pool, address, lists);
      const table = walletTable();
      for (const { entry, rowHash, version } of entries)
        addWallets(table, { entry, entryHash: rowHash.toString('hex'), version });
      return { matches: walletFinder(table)(address), lists, answeredBy: 'DATABASE' };
    },
  };
}
