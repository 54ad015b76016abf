import { SYSTEM } from '../events/actor.ts';
import { ERASURE_MESSAGES, type ErasureReason } from '../erasure-reason.ts';
import type { ClaimPairChange } from './change.ts';
import type { ClaimRecord } from './record.ts';

/**
 * The last change of a claim: its data, and the links that led to it, are removed with it. The log stays. The other side keeps
 * its own record as long as it has to.
 */
export function eraseClaim(own: ClaimRecord, now: Date, reason: ErasureReason): ClaimPairChange {
  return {
    own: {
      after: { ...own, erasedAt: now, updatedAt: now, wakeAt: null, remindAt: null },
      events: [{ type: 'ERASED', message: ERASURE_MESSAGES[reason], actor: SYSTEM }],
      notify: false,
      // A workflow that still waits for something ends.
      wakesWorkflow: own.wakeAt !== null,
    },
    counterpart: null,
  };
}
