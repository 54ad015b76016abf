import { markRescreened, readNewEntries, readOpenTransfers, type NewVersion } from '../../db/lifecycle/rescreen.ts';
import { findWallet } from '../../domain/sanctions/find-wallet.ts';
import { buildIndex, type SanctionsIndex } from '../../domain/sanctions/sanctions-index.ts';
import { search } from '../../domain/sanctions/search.ts';
import { queryOf } from '../../domain/sanctions-screening/subject.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { subjectsOf } from '../../domain/transactions/deciding/screening.ts';
import type { ScreeningDeps } from '../transactions/gather-findings.ts';
import { wakeForRescreening } from '../../db/transactions/wake-for-rescreening.ts';

/** More than so many new entries are no day's change: then every open transfer is screened anew. */
const MAX_NEW_ENTRIES = 5_000;
const PAGE = 500;
/** No tenant may set a lower one. */
const LEAST_THRESHOLD = 0.5;

interface RescreenStep extends NewVersion {
  afterId: string | null;
}

/** The steps of `sanctionsRescreen`. Doing one twice screens twice. */
export function rescreenActivities(deps: ScreeningDeps) {
  let kept: { place: string; index: SanctionsIndex | null } | undefined;

  /** Null when the version brought too much for an index of its own. */
  const indexOf = async (version: NewVersion): Promise<SanctionsIndex | null> => {
    const place = `${version.code} ${version.version}`;
    if (kept?.place === place) return kept.index;
    const entries = await readNewEntries(deps.db.pool, version, MAX_NEW_ENTRIES);
    kept = { place, index: entries && buildIndex(entries) };
    return kept.index;
  };

  return {
    /** Compares some open transfers with what a version brought; those with a hit are screened anew. */
    async rescreenOpen({ code, version, afterId }: RescreenStep): Promise<RescreenedPage> {
      const index = await indexOf({ code, version });
      const isEmpty = index?.entries.length === 0;
      const records = isEmpty ? [] : await readOpenTransfers(deps.db, afterId, PAGE);
      const hit = records.filter((record) => index === null || isHit(index, record)).map(({ id }) => id);
      const now = deps.now();
      deps.notifyWorkflows(await wakeForRescreening(deps.db.pool, hit, now));
      const isLast = records.length < PAGE;
      if (isLast) await markRescreened(deps.db.pool, { code, version }, now);
      return {
        looked: records.length,
        found: hit.length,
        nextId: isLast ? null : (records.at(-1)?.id ?? null),
      };
    },
  };
}

export interface RescreenedPage {
  looked: number;
  found: number;
  /** Null when there are no more. */
  nextId: string | null;
}

function isHit(index: SanctionsIndex, record: TransactionRecord): boolean {
  return subjectsOf(record).some((subject) =>
    subject.kind === 'NAME'
      ? search(index, queryOf(subject.body), { limit: 1, threshold: LEAST_THRESHOLD }).length > 0
      : findWallet(index, subject.address).length > 0,
  );
}
