import { SYSTEM } from '../events/actor.ts';
import { ERASURE_MESSAGES, type ErasureReason } from '../erasure-reason.ts';
import type { VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';

/** The last change of a verification: its data, its proof and what leads to it are removed with it. The log stays. */
export function eraseVerification(
  record: VerificationRecord,
  now: Date,
  reason: ErasureReason,
): VerificationChange {
  return {
    after: { ...record, deletedAt: record.deletedAt ?? now, updatedAt: now, wakeAt: null },
    events: [{ type: 'ERASED', message: ERASURE_MESSAGES[reason], actor: SYSTEM }],
    notify: false,
    wakesWorkflow: record.deletedAt === null && record.wakeAt !== null,
  };
}
