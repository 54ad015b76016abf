import { isFinal } from './state.ts';
import type { TransactionRecord } from './record.ts';

/** What the lifecycle workflow does next with a record. Carries ids and codes only. */
export type Plan =
  | { step: 'ROUTE' | 'CONFIRM_SELF_HOSTED' | 'EXPIRE' | 'DONE'; status: string }
  | { step: 'WAIT'; status: string; waitingFor: WaitingFor; untilMs: number; deadlineMs: number };

type WaitingFor = 'COUNTERPARTY_ANSWER' | 'ROUTE' | 'DELIVERY_RETRY' | 'OWNERSHIP_PROOF';

type Standing = Pick<
  TransactionRecord,
  'direction' | 'status' | 'subStatus' | 'destinationType' | 'deadlineAt' | 'wakeAt' | 'deletedAt'
>;

/** The next step of a record at `now`; the same for every process that asks. */
export function planOf(record: Standing, now: Date): Plan {
  const { status } = record;
  if (isOver(record)) return { step: 'DONE', status };
  if (record.deadlineAt && record.deadlineAt <= now) return { step: 'EXPIRE', status };
  if (status === 'PENDING' && isDue(record, now)) return { step: firstStep(record), status };
  return waitFor(record, now);
}

/** Incoming records wait for their tenant, which needs no process; expired ones for nothing at all. */
function isOver(record: Standing): boolean {
  if (record.deletedAt || record.direction === 'INCOMING' || isFinal(record.status)) return true;
  return record.status === 'FAILED' || record.subStatus === 'EXPIRED';
}

function isDue(record: Standing, now: Date): boolean {
  if (record.subStatus === 'OWNERSHIP_UNCONFIRMED') return false;
  return record.wakeAt === null || record.wakeAt <= now;
}

function firstStep(record: Standing): 'ROUTE' | 'CONFIRM_SELF_HOSTED' {
  return record.destinationType === 'NON_CUSTODIAL' ? 'CONFIRM_SELF_HOSTED' : 'ROUTE';
}

function waitFor(record: Standing, now: Date): Plan {
  const deadlineMs = record.deadlineAt?.getTime() ?? now.getTime();
  const untilMs = Math.min(record.wakeAt?.getTime() ?? deadlineMs, deadlineMs);
  return { step: 'WAIT', status: record.status, waitingFor: reasonToWait(record), untilMs, deadlineMs };
}

function reasonToWait(record: Standing): WaitingFor {
  if (record.status === 'DELIVERED') return 'COUNTERPARTY_ANSWER';
  if (record.subStatus === 'OWNERSHIP_UNCONFIRMED') return 'OWNERSHIP_PROOF';
  return record.subStatus === 'VASP_NOT_REACHABLE' ? 'DELIVERY_RETRY' : 'ROUTE';
}
