import { markForScreening, isScreened, needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { restartRouting } from '../lifecycle/restart-routing.ts';
import { isFinal, type Status } from '../state.ts';

const ROUTING_FIELDS = new Set([
  'vaspInfo.beneficiaryVaspName',
  'vaspInfo.beneficiaryVaspEmail',
  'vaspInfo.beneficiaryTravelAddress',
  'blockchainInfo.blockchain',
]);

/** The record after a PATCH: status and screening follow from the patched data and the wanted status. */
export function applyStatus(
  patched: TransactionRecord,
  status: Status | undefined,
  now: Date,
  changedFields: readonly string[],
): TransactionRecord {
  if (status !== undefined && status !== patched.status)
    return withStatus(screenedAnew(patched, changedFields), status, now);
  const reroutes = changedFields.some((field) => ROUTING_FIELDS.has(field)) && isUnrouted(patched);
  // A held record stays held until it is reviewed, even if its routing data is corrected: the reviewer has to see it.
  if (reroutes && patched.hold === null) return restartRouting(patched, now);
  // Nothing screens one that has failed until it is retried, but nobody may go on without.
  if (patched.status === 'FAILED') return screenedAnew(patched, changedFields);
  const isDue = changedFields.some((field) => isScreened(field, patched)) && patched.screeningState !== null;
  return isDue && !isFinal(patched.status) ? markForScreening(patched, now) : patched;
}

/** Data that arrives together with a decision, or after a failure, is screened like any other data. */
function screenedAnew(record: TransactionRecord, changedFields: readonly string[]): TransactionRecord {
  const isDue = record.screeningState !== null && changedFields.some((field) => isScreened(field, record));
  return isDue ? { ...record, screeningState: 'DUE' } : record;
}

function withStatus(record: TransactionRecord, status: Status, now: Date): TransactionRecord {
  // A record that its tenant accepts before screening is still screened.
  const isDue = status === 'CONFIRMED' && needsScreening(record);
  return {
    ...record,
    status,
    hold: null,
    // No review has lifted it: it still counts for the tenant's own records of the transfer.
    blockedHold: status === 'DECLINED' ? record.hold : record.blockedHold,
    ruleWaitUntil: null,
    statusReasonCode: record.statusReasonCode ?? (status === 'CANCELLED' ? 'CANCELLED_BY_SENDER' : null),
    deadlineAt: null,
    wakeAt: isDue ? now : null,
  };
}

function isUnrouted(record: TransactionRecord): boolean {
  const open = record.status === 'PENDING' || record.status === 'FAILED';
  return record.direction === 'OUTGOING' && record.destinationType === 'CUSTODIAL' && open;
}
