import { isRepairOverdue, isTimed, nextDeadline } from '../repair.ts';
import { needsScreening } from '../screening-due.ts';
import { isFinal, type HoldReason } from '../state.ts';
import type { TransactionRecord } from '../record.ts';
import { isSelfHosted, waitsForOwner } from '../self-hosted-wallet.ts';

/** What the verdict on a message rests on that is stored with its delivery only. */
export interface NotedBasis {
  /** Since when the screening was due that made it. */
  dueSinceMs: number | null;
  /** The versions of the lists that were searched; null where none were. */
  listVersions: Readonly<Record<string, number>> | null;
  /** Null where no rules were evaluated. */
  rulesVersion: number | null;
  /** A digest of settings and counterparty. */
  facts: string;
}

/** The next step of the transaction workflow. Contains ids and codes only, never personal data. */
export type LifecyclePlan =
  | {
      step:
        | 'SCREEN'
        | 'ASK_PROVIDERS'
        | 'CHECK_BRAKE'
        | 'ROUTE'
        | 'CONFIRM_SELF_HOSTED'
        | 'EXPIRE'
        | 'END_REPAIR'
        | 'DONE';
      status: string;
    }
  /** The message has to be sent, as this version has it, before its delivery is stored. `basis` is null if its screening is stored. */
  | { step: 'SEND'; status: string; version: number; basis: NotedBasis | null }
  /** With `untilMs` null, the workflow waits until the record is changed. */
  | {
      step: 'WAIT';
      status: string;
      waitingFor: WaitingFor;
      /** Why the record is held; set with REVIEW. */
      hold: HoldReason | null;
      untilMs: number | null;
      deadlineMs: number | null;
    };

type WaitingFor =
  | 'COUNTERPARTY_ANSWER'
  | 'REQUESTED_DATA'
  | 'ROUTE'
  | 'DELIVERY_RETRY'
  | 'BRAKE'
  | 'OWNERSHIP_PROOF'
  | 'SCREENING'
  | 'RULE_TIMER'
  | 'REVIEW';

type StepFacts = Pick<
  TransactionRecord,
  | 'direction'
  | 'status'
  | 'ruleWaitUntil'
  | 'isScreeningDelayed'
  | 'awaitsProof'
  | 'blockedBy'
  | 'routingFault'
  | 'pausedBy'
  | 'expiredAt'
  | 'destinationType'
  | 'originType'
  | 'screeningState'
  | 'hold'
  | 'messageSource'
  | 'sealed'
  | 'deadlineAt'
  | 'repairDeadlineAt'
  | 'wakeAt'
  | 'deletedAt'
>;

/** The next step of a record at `now`. */
export function planOf(record: StepFacts, now: Date): LifecyclePlan {
  const { status } = record;
  if (isOver(record)) return { step: 'DONE', status };
  if (record.deadlineAt && record.deadlineAt <= now) return { step: 'EXPIRE', status };
  if (isRepairOverdue(record, now)) return { step: 'END_REPAIR', status };
  if (needsScreening(record)) {
    const isNow = record.wakeAt === null || record.wakeAt <= now;
    return isNow ? { step: 'SCREEN', status } : waitFor(record);
  }
  if (status === 'PENDING' && record.hold === null && isDue(record, now))
    return { step: record.pausedBy === null ? firstStep(record) : 'CHECK_BRAKE', status };
  return waitFor(record);
}

/**
 * Whether the workflow can end. A screened incoming record waits for its tenant, which needs no workflow, unless it is a
 * deposit from a self-hosted wallet; an expired record waits for nothing.
 */
function isOver(record: StepFacts): boolean {
  if (needsScreening(record)) return false;
  if (isTimed(record) && !record.deletedAt) return false;
  if (record.deletedAt || isFinal(record.status)) return true;
  if (record.direction === 'INCOMING') return record.status !== 'PENDING' || !isSelfHosted(record);
  return record.status === 'FAILED' || record.expiredAt !== null;
}

function isDue(record: StepFacts, now: Date): boolean {
  if (waitsForOwner(record)) return record.wakeAt !== null && record.wakeAt <= now;
  return record.wakeAt === null || record.wakeAt <= now;
}

function firstStep(record: StepFacts): 'ROUTE' | 'CONFIRM_SELF_HOSTED' {
  return isSelfHosted(record) ? 'CONFIRM_SELF_HOSTED' : 'ROUTE';
}

function waitFor(record: StepFacts): LifecyclePlan {
  if (record.hold !== null) return waitForChange(record, 'REVIEW');
  if (record.ruleWaitUntil !== null) return waitForChange(record, 'RULE_TIMER');
  if (record.isScreeningDelayed || (needsScreening(record) && record.direction === 'INCOMING'))
    return waitForChange(record, 'SCREENING');
  return waitForChange(record, waitsForOwner(record) ? 'OWNERSHIP_PROOF' : reasonToWait(record));
}

/** Waits for a change, at most until `wakeAt` or the deadline; without either, without limit. */
function waitForChange(record: StepFacts, waitingFor: WaitingFor): LifecyclePlan {
  const { status, hold, wakeAt } = record;
  const deadlineAt = nextDeadline(record);
  const times = [wakeAt, deadlineAt].flatMap((time) => time?.getTime() ?? []);
  const untilMs = times.length > 0 ? Math.min(...times) : null;
  const deadlineMs = deadlineAt?.getTime() ?? null;
  return { step: 'WAIT', status, waitingFor, hold, untilMs, deadlineMs };
}

function reasonToWait(record: StepFacts): WaitingFor {
  if (record.status === 'DELIVERED') return isTimed(record) ? 'REQUESTED_DATA' : 'COUNTERPARTY_ANSWER';
  if (record.pausedBy !== null) return 'BRAKE';
  return record.routingFault === 'VASP_NOT_REACHABLE' ? 'DELIVERY_RETRY' : 'ROUTE';
}
