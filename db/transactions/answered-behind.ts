import type { RecordChange } from '../../domain/transactions/change.ts';
import { isPassedUnscreened, markForLists } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { isBehindLists } from './compared-lists.ts';
import { comparedWith, hasNewName } from './compared-names.ts';
import type { OpenTransaction } from './row.ts';

/**
 * The change of a sent message that its receiver confirms: where a false positive was taken back, a list got a new version or the
 * directory a name of the receiver since the message was screened, it is screened again, and its coins wait for that. One that is
 * held waits for its reviewer, who is shown that first; one that a reviewer has let pass without a screening, and that had none since,
 * needs none now.
 */
export async function comparedWhenConfirmed<Change extends RecordChange | null>(
  tx: Queryable,
  { open, change }: { open: OpenTransaction | null | undefined; change: Change },
  now: Date,
): Promise<Change> {
  if (!open || !change || !isJustConfirmed(open, change)) return change;
  const { record } = open;
  if (isPassedUnscreened(record) && (await comparedWith({ pool: tx }, open)) === null) return change;
  const isBehind =
    (await isBehindLists(tx, record)) || (await hasNewName({ pool: tx }, open, record.counterpartyEntityId));
  return isBehind ? { ...change, after: markForLists(change.after, now), wakesWorkflow: true } : change;
}

function isJustConfirmed({ record }: OpenTransaction, { after }: RecordChange): boolean {
  const isConfirmed = record.status !== 'CONFIRMED' && after.status === 'CONFIRMED';
  const isSent = record.direction === 'OUTGOING' && record.pairId !== null;
  return isSent && isConfirmed && after.hold === null;
}
