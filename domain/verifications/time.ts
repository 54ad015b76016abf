import { DomainError } from '../errors.ts';
import { SYSTEM, type Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';

type DeadlineFacts = Pick<
  VerificationRecord,
  'status' | 'reminded' | 'createdAt' | 'expiresAt' | 'deletedAt'
>;

/** When three quarters of the time have passed and the EXPIRES_SOON event is written. */
export function reminderAt({ createdAt, expiresAt }: Pick<DeadlineFacts, 'createdAt' | 'expiresAt'>): Date {
  return new Date(expiresAt.getTime() - (expiresAt.getTime() - createdAt.getTime()) / 4);
}

/** Whether the time is over. The clock decides, even if the record is not yet marked as expired. */
export function isExpired({ expiresAt }: Pick<DeadlineFacts, 'expiresAt'>, now: Date): boolean {
  return expiresAt <= now;
}

/** The next step of the verification workflow. Contains codes and times only, never personal data. */
export type VerificationPlan =
  | { step: 'REMIND' | 'EXPIRE' | 'DONE'; status: string }
  | { step: 'WAIT'; status: string; waitingFor: 'PROOF'; untilMs: number; deadlineMs: number }
  | { step: 'WAIT'; status: string; waitingFor: 'REVIEW' | 'CHAIN'; untilMs: null; deadlineMs: null };

/** The next step of a record at `now`. */
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

/** Writes the EXPIRES_SOON event, without a webhook: nothing that the tenant sees has changed. */
export function remind(record: VerificationRecord, now: Date): VerificationChange | null {
  if (planOf(record, now).step !== 'REMIND') return null;
  return changed(
    record,
    { reminded: true, wakeAt: record.expiresAt },
    { type: 'EXPIRES_SOON', message: 'Three quarters of the time are over.', actor: SYSTEM },
    { notify: false },
  );
}

/** Fails a verification whose time is over. One that waits for a reviewer does not expire. */
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
    // The workflow itself does this, or has ended.
    { wakesWorkflow: false },
  );
}

/** Expires a pending verification now, by request. Throws conflict unless PENDING. */
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
