import type { ScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import { DomainError } from '../domain/errors.ts';
import { IndexNotLoaded, type SubjectScreener } from '../sanctions-index/screen-subjects.ts';
import { compareWithLists, isComplete, searchedVersions, type ComparedParty } from './compare-with-lists.ts';

export type ListsUnavailable =
  /** A list is missing, too old, or not loaded. */
  | { kind: 'LISTS_MISSING' }
  /** The lists, or a new version of one, are still being loaded. */
  | { kind: 'LISTS_LOADING' };

/** The compared parties, each with every list that is due, or why the lists are not available. */
export async function compareCompletely(
  screener: SubjectScreener,
  open: OpenTransaction,
  context: ScreeningContext,
): Promise<ComparedParty[] | ListsUnavailable> {
  const compared = await compareIfPossible(screener, open, context);
  if (!Array.isArray(compared)) return compared;
  if (!isComplete(compared)) return { kind: 'LISTS_MISSING' };
  return isBehind(searchedVersions(compared), context) ? { kind: 'LISTS_LOADING' } : compared;
}

async function compareIfPossible(
  screener: SubjectScreener,
  open: OpenTransaction,
  { counterparty, counterpartyNames, declaredOwners, settings }: ScreeningContext,
): Promise<ComparedParty[] | ListsUnavailable> {
  try {
    return await compareWithLists(screener, open, {
      settings: settings.screening,
      vasp: counterparty && { name: counterparty.name, allNames: counterpartyNames },
      owners: declaredOwners,
    });
  } catch (error) {
    if (error instanceof IndexNotLoaded) return { kind: 'LISTS_LOADING' };
    if (error instanceof DomainError && error.code === 'temporarily_unavailable')
      return { kind: 'LISTS_MISSING' };
    throw error;
  }
}

/** A list that is not loaded by then has a problem. */
const LOADED_BY_MS = 30_000;

/** Whether lists that are being loaded have had the time for it: then they count as missing. */
export function doListsNotLoad({ listsBehindMs }: Pick<SubjectScreener, 'listsBehindMs'>): boolean {
  return listsBehindMs() > LOADED_BY_MS;
}

/** Whether an older list version was searched than is due. */
function isBehind(searched: ReadonlyMap<string, number>, { activeLists }: ScreeningContext): boolean {
  return searched.size > 0 && activeLists.some(({ code, version }) => (searched.get(code) ?? 0) < version);
}
