import { addMs, DAY_MS, latest } from '../durations.ts';
import { DomainError } from '../errors.ts';

/**
 * PLANNED: it waits for a second operator. APPROVED: it waits for its day. RUNNING: the tenant is gone for everybody, its data is
 * being removed. ERASED: that is done. CALLED_OFF: an operator has ended it. REFUSED: on its day there were records that have to
 * be kept, which nobody had overridden.
 */
export const ERASURE_STATES = ['PLANNED', 'APPROVED', 'RUNNING', 'ERASED', 'CALLED_OFF', 'REFUSED'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/** Days between the plan and the erasure, in which a tenant can take its data away and an operator can call it off. */
const NOTICE_DAYS = 30;

/** Records of a tenant that have to be kept. */
export interface KeptCounts {
  /** Records whose retention is not over. */
  underRetention: number;
  /** Transactions with a legal hold. */
  legalHolds: number;
}

/** The erasure of a tenant as it is stored. Operators are named by their keys. */
export interface TenantErasure extends KeptCounts {
  id: string;
  tenantId: string;
  state: ErasureState;
  reason: string;
  /** Whether records that have to be kept are erased all the same. */
  overrides: boolean;
  plannedFor: Date;
  plannedBy: string;
  plannedAt: Date;
  approvedBy: string | null;
  approvedAt: Date | null;
  calledOffBy: string | null;
  calledOffAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  erased: { transactions: number; claims: number; verifications: number };
}

export function plannedDay(now: Date): Date {
  return addMs(now, NOTICE_DAYS * DAY_MS);
}

/** The moment at which an approved erasure begins. */
export function beginOf({ plannedFor }: Pick<TenantErasure, 'plannedFor'>, now: Date): Date {
  return latest(plannedFor, now);
}

/** Throws conflict where records have to be kept that nobody overrides. */
export function refuseKept({ underRetention, legalHolds }: KeptCounts, overrides: boolean): void {
  if (overrides || underRetention + legalHolds === 0) return;
  throw new DomainError(
    'conflict',
    `Records of this tenant still have to be kept on that day: ${underRetention} by their retention, ${legalHolds} by a legal ` +
      'hold. An erasure that is planned with `override` erases them all the same.',
    { members: { underRetention, legalHolds } },
  );
}

/** Throws forbidden, invalid_transition or conflict unless this operator may approve the erasure in these words. */
export function requireApprovable(
  { state, plannedBy, overrides }: TenantErasure,
  { operator, confirmsOverride }: { operator: string; confirmsOverride: boolean },
): void {
  requireState(state, ['PLANNED'], 'approved');
  if (operator === plannedBy)
    throw new DomainError(
      'forbidden',
      'An erasure is approved by another operator than the one who planned it.',
    );
  if (overrides === confirmsOverride) return;
  throw new DomainError(
    'conflict',
    overrides
      ? 'This erasure erases records that have to be kept: approve it with `override` true, or not at all.'
      : 'This erasure was planned without `override`: approve it without, or plan another one.',
  );
}

/** Throws invalid_transition once the erasure has begun or ended. */
export function requireCallable({ state }: Pick<TenantErasure, 'state'>): void {
  requireState(state, ['PLANNED', 'APPROVED'], 'called off');
}

function requireState(state: ErasureState, states: readonly ErasureState[], deed: string): void {
  if (states.includes(state)) return;
  throw new DomainError('invalid_transition', `An erasure that is ${state} cannot be ${deed}.`, {
    members: { allowed: [] },
  });
}

/** What the run of an erasure finds on its day. */
export interface KeptOnTheDay extends KeptCounts {
  /** Legal holds that were set after the approval, which therefore nobody has overridden. */
  newLegalHolds: number;
}

/** Whether the run may begin. */
export function mayBegin({ overrides }: { overrides: boolean }, kept: KeptOnTheDay): boolean {
  if (overrides) return kept.newLegalHolds === 0;
  return kept.underRetention + kept.legalHolds === 0;
}
