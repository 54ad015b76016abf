import { DomainError } from '../errors.ts';
import { SYSTEM, type Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';

type DeadlineFacts = Pick<
  VerificationRecord,
  'status' | 'reminded' | 'createdAt' | 'expiresAt' | 'deletedAt'
>;

/** When the log tells that three quarters of the time are gone. */
export function reminderAt({ createdAt, expiresAt }: Pick<DeadlineFacts, 'createdAt' | 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - (expiresAt.getTime() - createdAt.getTime()) / 4);
}

/** The clock alone decides about a submission, whether the record was marked yet or not. */
export function isExpired({ expiresAt }: Pick<DeadlineFacts, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now;
}

/** What the workflow does next with a record. Carries codes and times only. */
export type VerificationPlan =
  | { step: 'REMIND' | 'EXPIRE' | 'DONE'; status: string }
  | { step: 'WAIT'; status: string; waitingFor: 'PROOF'; untilMs: number; deadlineMs: number }
  | { step: 'WAIT'; status: string; waitingFor: 'REVIEW' | 'CHAIN'; untilMs: null; deadlineMs: null };

/** The next step of a record at `now`; the same for every process that asks. */
export function planOf(record: DeadlineFacts, now: Date): VerificationPlan {
  const { status, expiresAt } = record;
  if (status === 'ACTION_REQUIRED') {
    return { step: 'WAIT', status, waitingFor: 'REVIEW', untilMs: null, deadlineMs: null };
  }
  if (record.deletedAt || status !== 'PENDING') return { step: 'DONE', status };
  if (isExpired(record, now)) return { step: 'EXPIRE', status };
  const remindAt = reminderAt(record);
  if (!record.reminded && remindAt <= now) return { step: 'REMIND', status };
  const until = record.reminded ? expiresAt : remindAt;
  return {
    step: 'WAIT',
    status,
    waitingFor: 'PROOF',
    untilMs: until.getTime(),
    deadlineMs: expiresAt.getTime(),
  };
}

/** An entry in the log and the change feed, without a webhook: nothing in the record has changed. */
export function remind(record: VerificationRecord, now: Date): VerificationChange | null {
  if (planOf(record, now).step !== 'REMIND') return null;
  return changed(
    record,
    { reminded: true, wakeAt: record.expiresAt },
    { type: 'EXPIRES_SOON', message: 'Three quarters of the time are over.', actor: SYSTEM },
    { notify: false },
  );
}

/** Marks a verification whose time is over. What needs a person's decision does not expire. */
export function expire(record: VerificationRecord, now: Date): VerificationChange | null {
  if (planOf(record, now).step !== 'EXPIRE') return null;
  return changed(
    record,
    {
      status: 'FAILED',
      failureCode: 'EXPIRED',
      wakeAt: null,
      updatedAt: now,
      personal: { ...record.personal, statusReasoning: 'Expired', signIn: null },
    },
    {
      type: 'EXPIRED',
      message: 'No proof was given in time.',
      actor: SYSTEM,
      basis: { kind: 'EXPIRY' },
    },
    // Its workflow woke up for this, or is gone.
    { wakesWorkflow: false },
  );
}

/** Ends the time of a pending verification by hand: it expires now. Throws conflict when no time runs. */
export function fireTimer(
  record: VerificationRecord,
  { actor, now }: { actor: Actor; now: Date },
): VerificationChange | null {
  if (record.status !== 'PENDING') {
    throw new DomainError('conflict', 'This verification waits for no deadline.');
  }
  if (isExpired(record, now)) return null;
  return changed(
    record,
    { expiresAt: now, wakeAt: now, updatedAt: now },
    { type: 'TIMER_FIRED', message: 'The time was ended by hand.', actor },
    { notify: false, wakesWorkflow: true },
  );
}
