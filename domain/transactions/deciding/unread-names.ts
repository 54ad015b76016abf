import { canonicalJson } from '../../canonical-json.ts';
import type { TransactionRecord } from '../record.ts';
import { roleInTransfer } from './screened-subjects.ts';
import type { TransactionScreening } from './screening.ts';

/** The names of a transfer that were not compared to their end, with their roles; that all lists were searched is asked before. */
function unreadNames({ sanctions }: TransactionScreening): string[] {
  return sanctions.subjects.flatMap(({ role, screening }) =>
    screening?.complete === false && screening.missingLists.length === 0
      ? [canonicalJson([roleInTransfer(role), screening.request])]
      : [],
  );
}

/** Whether every name of the transfer was compared to its end. */
export function isReadWhole(screening: TransactionScreening): boolean {
  return unreadNames(screening).length === 0;
}

/**
 * Whether a name that was not compared to its end needs a review. One that is only rechecked against the lists may pass
 * with the names that the screening before showed: that one held it, and somebody has let it pass since.
 */
export function hasUnreviewedName(
  { screeningState, hold }: TransactionRecord,
  screening: TransactionScreening,
  previous: TransactionScreening | null,
): boolean {
  const isLetPass = screeningState === 'RECHECK' && hold === null;
  const reviewed = new Set(isLetPass && previous ? unreadNames(previous) : []);
  return unreadNames(screening).some((name) => !reviewed.has(name));
}
