import { setImmediate } from 'node:timers/promises';
import {
  markRescreened,
  readAddedEntries,
  readOpenTransfers,
  type NewVersion,
  type OpenTransfer,
} from '../../db/lifecycle/rescreen.ts';
import { findWallet } from '../../domain/sanctions/find-wallet.ts';
import { buildIndex, type SanctionsIndex } from '../../domain/sanctions/sanctions-index.ts';
import { search } from '../../domain/sanctions/search.ts';
import { isDecisive } from '../../domain/sanctions-screening/view-match.ts';
import { queryOf } from '../../domain/sanctions-screening/subject.ts';
import { subjectsOf } from '../../domain/transactions/deciding/screened-subjects.ts';
import type { StepDeps } from '../transactions/transaction-step.ts';
import { wakeMatched } from '../../db/transactions/wake-for-rescreening.ts';

/** More added entries than this are not a daily change: then every open transfer is screened again. */
const MAX_ADDED_ENTRIES = 5_000;
const PAGE = 500;

interface RescreenStep extends NewVersion {
  afterId: string | null;
}

/** The activity of `sanctionsRescreen`. A repeat screens again. */
export function rescreenActivities(deps: Pick<StepDeps, 'db' | 'now' | 'notifyWorkflows'>) {
  let kept: { name: string; index: SanctionsIndex | null } | undefined;

  /** The index of the entries that a version added; null when there are too many. */
  const indexOf = async (version: NewVersion): Promise<SanctionsIndex | null> => {
    const name = `${version.code} ${version.version}`;
    if (kept?.name === name) return kept.index;
    const entries = await readAddedEntries(deps.db.pool, version, MAX_ADDED_ENTRIES);
    kept = { name, index: entries && buildIndex(entries) };
    return kept.index;
  };

  return {
    /**
     * Compares a page of open transfers with the entries that a version added, by the thresholds of their tenants;
     * transfers with a match are screened again.
     */
    async rescreenOpen({ code, version, afterId }: RescreenStep): Promise<RescreenedPage> {
      const index = await indexOf({ code, version });
      const isEmpty = index?.entries.length === 0;
      const transfers = isEmpty
        ? []
        : await readOpenTransfers(deps.db, { code, version }, { afterId, limit: PAGE });
      const matching = await matchingOf(index, transfers);
      const now = deps.now();
      deps.notifyWorkflows(await wakeMatched(deps.db.pool, matching, now));
      const isLast = transfers.length < PAGE;
      if (isLast) await markRescreened(deps.db.pool, { code, version }, now);
      return {
        looked: transfers.length,
        found: matching.length,
        nextId: isLast ? null : (transfers.at(-1)?.record.id ?? null),
      };
    },
  };
}

export interface RescreenedPage {
  looked: number;
  found: number;
  /** Null after the last page. */
  nextId: string | null;
}

/** The ids of the transfers with a match; with null, of all. Between two the process does what else waits. */
async function matchingOf(
  index: SanctionsIndex | null,
  transfers: readonly OpenTransfer[],
): Promise<string[]> {
  const matching: string[] = [];
  for (const transfer of transfers) {
    if (index === null || isMatch(index, transfer)) matching.push(transfer.record.id);
    await setImmediate();
  }
  return matching;
}

function isMatch(index: SanctionsIndex, { record, vasp, screening }: OpenTransfer): boolean {
  const threshold = screening.matchThreshold;
  return subjectsOf(record, vasp).some((subject) =>
    subject.kind === 'NAME'
      ? search(index, queryOf(subject.body), { threshold }).some((match) => isDecisive(match, screening))
      : findWallet(index, subject.address).length > 0,
  );
}
