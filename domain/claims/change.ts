import type { EventDraft } from '../events/event.ts';
import type { ClaimRecord } from './record.ts';
import { isOpenClaim } from './state.ts';

/** The new state of a claim, its events and whom to notify. Version and event chain are set when it is written. */
export interface ClaimChange {
  after: ClaimRecord;
  events: EventDraft[];
  /** Send the tenant a webhook with the new state. */
  notify: boolean;
  /** Wake the workflow, so that it reads the record again. */
  wakesWorkflow: boolean;
}

/** Both sides of a claim change together or not at all. */
export interface ClaimPairChange {
  own: ClaimChange | null;
  counterpart: ClaimChange | null;
}

export const NO_CLAIM_CHANGE: ClaimPairChange = { own: null, counterpart: null };

interface ChangeOptions {
  notify?: boolean;
  wakesWorkflow?: boolean;
}

/**
 * A change of these fields, with both statuses added to the event. By default the tenant is notified, and the workflow is
 * woken if the status changes. A claim that has ended waits for nothing.
 */
export function claimChanged(
  before: ClaimRecord,
  fields: Partial<ClaimRecord>,
  event: EventDraft,
  { notify = true, wakesWorkflow }: ChangeOptions = {},
): ClaimChange {
  const moved = { ...before, ...fields };
  const after = isOpenClaim(moved) ? moved : { ...moved, wakeAt: null, remindAt: null };
  const statuses = { previousStatus: before.status, newStatus: after.status };
  return {
    after,
    events: [{ ...event, ...statuses }],
    notify,
    wakesWorkflow: wakesWorkflow ?? before.status !== after.status,
  };
}

/**
 * An event about what the other side did that changes nothing of the claim. A claim that has ended keeps the time of its last
 * change, since that is when it was refused or expired.
 */
export function claimNoted(before: ClaimRecord, event: EventDraft, now: Date): ClaimChange {
  return claimChanged(before, isOpenClaim(before) ? { updatedAt: now } : {}, event, { notify: false });
}
