import { DomainError } from '../../errors.ts';
import { followedBy, type PairChange, type RecordChange } from '../change.ts';
import { patchTransaction, type PatchAct } from './patch-transaction.ts';
import type { TransactionRecord } from '../record.ts';
import type { PatchTransactionBody } from '../schema.ts';
import { awaitsScreening, screeningPending } from '../screening-due.ts';
import { applyVerdict, type ScreeningVerdict } from '../deciding/apply-verdict.ts';

/** A verdict on a record as a patch would leave it. */
export interface PatchedVerdict {
  /** The version that the record has with the patch. */
  version: number;
  verdict: ScreeningVerdict;
  now: Date;
}

/**
 * The record as the data of a confirming patch would leave it, if that has to be screened before anybody may confirm
 * it; null where the patch brings nothing that is screened. Throws as `patchTransaction` does.
 */
export function unscreenedData(
  own: TransactionRecord,
  patch: PatchTransactionBody,
  act: PatchAct,
): TransactionRecord | null {
  const after = dataChange(own, null, patch, act).own?.after;
  return after && !awaitsScreening(own) && awaitsScreening(after) ? after : null;
}

/**
 * The changes of a PATCH to CONFIRMED that brings new party data: the data is screened before it is confirmed, all in
 * one version, and where the verdict stands against it nothing changes. Throws screening_pending without a verdict on
 * this very data, and as `patchTransaction` does.
 */
export function confirmWithData(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  patch: PatchTransactionBody,
  { judged, ...act }: PatchAct & { judged: PatchedVerdict | null },
): PairChange {
  const unscreened = unscreenedData(own, patch, act);
  if (!unscreened) return patchTransaction(own, counterpart, patch, act);
  // What refuses the confirmation whatever the data says comes first.
  patchTransaction(own, counterpart, { status: patch.status }, act);
  if (judged?.version !== own.version + 1) throw screeningPending();
  const data = dataChange(own, counterpart, patch, act);
  if (own.hold !== null && !passesByItself(unscreened, counterpart, judged)) throw heldData();
  const screened = joined(data, applyVerdict(unscreened, counterpart, judged.verdict, judged.now));
  const after = screened.own?.after ?? unscreened;
  if (after.status === patch.status) return screened;
  const sent = screened.counterpart?.after ?? counterpart;
  const decided = joined(screened, patchTransaction(after, sent, { status: patch.status }, act));
  if (after.hold !== null && own.hold === null) throw heldData();
  return decided;
}

/** Whether nothing would stand against the record if it were not held for what was found before. */
function passesByItself(
  unscreened: TransactionRecord,
  counterpart: TransactionRecord | null,
  { verdict, now }: PatchedVerdict,
): boolean {
  const unheld = { ...unscreened, hold: null };
  const { hold, ruleWaitUntil, status } =
    applyVerdict(unheld, counterpart, verdict, now).own?.after ?? unheld;
  return hold === null && ruleWaitUntil === null && status !== 'DECLINED';
}

function dataChange(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { status: _status, ...data }: PatchTransactionBody,
  act: PatchAct,
): PairChange {
  return patchTransaction(own, counterpart, data, act);
}

function joined(first: PairChange, second: PairChange): PairChange {
  return {
    own: followed(first.own, second.own),
    counterpart: followed(first.counterpart, second.counterpart),
    forwarded: first.forwarded,
  };
}

function followed(first: RecordChange | null, second: RecordChange | null): RecordChange | null {
  return first ? followedBy(first, second) : second;
}

function heldData(): DomainError {
  return new DomainError(
    'conflict',
    'The new data does not pass by itself: send it without `status`, read GET /transactions/{id}/screening, then decide.',
  );
}
