import {
  markRescreened,
  readEndedSuppressions,
  readOpenTransfers,
  type EndedSuppressions,
  type NewVersion,
  type OpenTransfer,
} from '../../db/lifecycle/rescreen.ts';
import { wakeMatched } from '../../db/transactions/wake-for-rescreening.ts';
import type { FoundWallet } from '../../domain/sanctions-screening/found-match.ts';
import { isDecisive } from '../../domain/sanctions-screening/view-match.ts';
import { queryOf } from '../../domain/sanctions-screening/subject.ts';
import { subjectsOf } from '../../domain/transactions/deciding/screened-subjects.ts';
import type { AddedIndexes } from '../../sanctions-index/added-indexes.ts';
import type { OpenIndex } from '../../sanctions-index/open-index.ts';
import type { StepDeps } from '../transactions/transaction-step.ts';

/** More added entries than this are not a daily change: then every open transfer is screened again. */
const MAX_ADDED_ENTRIES = 5_000;
const PAGE = 500;

export interface RescreenDeps extends Pick<StepDeps, 'db' | 'now' | 'notifyWorkflows'> {
  addedIndexes: AddedIndexes;
}

interface RescreenStep extends NewVersion {
  afterId: string | null;
}

/** The activity of `sanctionsRescreen`. A repeat screens again. */
export function rescreenActivities({ db, now, notifyWorkflows, addedIndexes }: RescreenDeps) {
  return {
    /**
     * Compares a page of open transfers with the entries that a version added, by the thresholds of their tenants;
     * transfers with a match are screened again.
     */
    async rescreenOpen({ code, version, afterId }: RescreenStep): Promise<RescreenedPage> {
      const added = { code, version, limit: MAX_ADDED_ENTRIES };
      const index = await addedIndexes.of(added);
      const transfers =
        index.entries === 0 ? [] : await readOpenTransfers(db, { code, version }, { afterId, limit: PAGE });
      const endedBy = async (sourceIds: readonly string[]) =>
        await readEndedSuppressions(db.pool, { code, version }, sourceIds);
      const matching = await matchingOf(index, transfers, endedBy);
      notifyWorkflows(await wakeMatched(db.pool, matching, now()));
      const isLast = transfers.length < PAGE;
      if (isLast) {
        await markRescreened(db.pool, { code, version }, now());
        addedIndexes.release(added);
      }
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

/** The ids of the transfers with a match; of all, where too many entries were added. */
async function matchingOf(
  index: OpenIndex,
  transfers: readonly OpenTransfer[],
  endedBy: (sourceIds: readonly string[]) => Promise<EndedSuppressions>,
): Promise<string[]> {
  if (index.entries === null) return transfers.map(({ record }) => record.id);
  const named = transfers.flatMap(namesOf);
  const answers = await index.search(named.map(({ search }) => search));
  // A search that failed decides nothing: the transfer is screened again.
  const unanswered = named.filter((_, position) => !answers[position]);
  const matching = new Set(unanswered.map(({ transfer }) => idOf(transfer)));
  const found = [
    ...transfers.flatMap((transfer) => walletsOf(index, transfer).map(({ entry }) => ({ transfer, entry }))),
    ...named.flatMap(({ transfer }, position) =>
      (answers[position] ?? [])
        .filter((match) => isDecisive(match, transfer.screening))
        .map(({ entry }) => ({ transfer, entry })),
    ),
  ];
  const ended = await endedBy([...new Set(found.map(({ entry }) => entry.sourceId))]);
  for (const { transfer, entry } of found) {
    const isMeant = ended.get(entry.sourceId)?.has(transfer.record.tenantId) ?? true;
    if (isMeant) matching.add(idOf(transfer));
  }
  return transfers.map(idOf).filter((id) => matching.has(id));
}

const idOf = ({ record }: OpenTransfer) => record.id;

/** A search for each name of a transfer. */
function namesOf(transfer: OpenTransfer) {
  const options = { threshold: transfer.screening.matchThreshold };
  return subjectsOf(transfer.record, transfer.vasp, transfer.owners).flatMap((subject) =>
    subject.kind === 'NAME' ? [{ transfer, search: { query: queryOf(subject.body), options } }] : [],
  );
}

function walletsOf({ findWallet }: OpenIndex, { record, vasp }: OpenTransfer): FoundWallet[] {
  return subjectsOf(record, vasp).flatMap((subject) =>
    subject.kind === 'NAME' ? [] : findWallet(subject.address),
  );
}
