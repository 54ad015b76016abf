import { needsScreening } from '../screening-due.ts';
import { isFinal, type HoldReason } from '../state.ts';
import type { TransactionRecord } from '../record.ts';
import { isSelfHosted, waitsForOwner } from '../self-hosted/self-hosted-wallet.ts';

/** What the lifecycle workflow does next with a record. Carries ids and codes only. */
export type LifecyclePlan =
  | { step: 'SCREEN' | 'ASK_PROVIDERS' | 'ROUTE' | 'CONFIRM_SELF_HOSTED' | 'EXPIRE' | 'DONE'; status: string }
  /** `untilMs` null: until somebody changes the record. */
  | {
      step: 'WAIT';
      status: string;
      waitingFor: WaitingFor;
      /** Why it is held, with REVIEW. */
      hold: HoldReason | null;
      untilMs: number | null;
      deadlineMs: number | null;
    };

type WaitingFor =
  | 'COUNTERPARTY_ANSWER'
  | 'ROUTE'
  | 'DELIVERY_RETRY'
  | 'OWNERSHIP_PROOF'
  | 'SCREENING'
  | 'RULE_TIMER'
  | 'REVIEW';

type StepFacts = Pick<
  TransactionRecord,
  | 'direction'
  | 'status'
  | 'subStatus'
  | 'destinationType'
  | 'originType'
  | 'screeningState'
  | 'hold'
  | 'messageSource'
  | 'deadlineAt'
  | 'wakeAt'
  | 'deletedAt'
>;

/** The next step of a record at `now`; the same for every process that asks. */
export function planOf(record: StepFacts, now: Date): LifecyclePlan {
  const { status } = record;
  if (isOver(record)) return { step: 'DONE', status };
  if (record.deadlineAt && record.deadlineAt <= now) return { step: 'EXPIRE', status };
  if (needsScreening(record)) {
    const isNow = record.wakeAt === null || record.wakeAt <= now;
    return isNow ? { step: 'SCREEN', status } : waitFor(record);
  }
  if (status === 'PENDING' && record.hold === null && isDue(record, now))
    return { step: firstStep(record), status };
  return waitFor(record);
}

/**
 * Once they are screened, incoming records wait for their tenant, which needs no process, but for deposits from
 * self-hosted wallets; expired ones wait for nothing at all.
 */
function isOver(record: StepFacts): boolean {
  if (needsScreening(record)) return false;
  if (record.deletedAt || isFinal(record.status)) return true;
  if (record.direction === 'INCOMING') return record.status !== 'PENDING' || !isSelfHosted(record);
  return record.status === 'FAILED' || record.subStatus === 'EXPIRED';
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
  if (record.subStatus === 'WAITING') return waitForChange(record, 'RULE_TIMER');
  if (record.subStatus === 'SCREENING' || (needsScreening(record) && record.direction === 'INCOMING'))
    return waitForChange(record, 'SCREENING');
  return waitForChange(record, waitsForOwner(record) ? 'OWNERSHIP_PROOF' : reasonToWait(record));
}

/** However long it takes, for as long as there is no deadline: only the tenant may give up. */
function waitForChange(
  { status, hold, wakeAt, deadlineAt }: StepFacts,
  waitingFor: WaitingFor,
): LifecyclePlan {
  const times = [wakeAt, deadlineAt].flatMap((time) => time?.getTime() ?? []);
  const untilMs = times.length > 0 ? Math.min(...times) : null;
  const deadlineMs = deadlineAt?.getTime() ?? null;
  return { step: 'WAIT', status, waitingFor, hold, untilMs, deadlineMs };
}

function reasonToWait(record: StepFacts): WaitingFor {
  if (record.status === 'DELIVERED') return 'COUNTERPARTY_ANSWER';
  return record.subStatus === 'VASP_NOT_REACHABLE' ? 'DELIVERY_RETRY' : 'ROUTE';
}
