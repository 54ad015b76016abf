import type { EventDraft } from '../events/event.ts';
import type { VerificationRecord } from './record.ts';
import { riskScoreOf } from './risk.ts';

/** The new state of a record, its events and whom to notify. Version and event chain are set when it is written. */
export interface VerificationChange {
  after: VerificationRecord;
  events: EventDraft[];
  /** Send the tenant a webhook with the new state. */
  notify: boolean;
  /** Wake the workflow, so that it reads the record again. */
  wakesWorkflow: boolean;
}

interface ChangeOptions {
  notify?: boolean;
  wakesWorkflow?: boolean;
}

/**
 * A change of these fields, with the risk score recomputed and both statuses added to the event. By default the tenant
 * is notified, and the workflow is woken if the status changes.
 */
export function changed(
  before: VerificationRecord,
  fields: Partial<VerificationRecord>,
  event: EventDraft,
  { notify = true, wakesWorkflow }: ChangeOptions = {},
): VerificationChange {
  const moved = { ...before, ...fields };
  // A deleted verification keeps the score of its last state.
  const riskScore = moved.status === 'DELETED' ? before.riskScore : riskScoreOf(moved);
  const after = { ...moved, riskScore };
  const statuses = { previousStatus: before.status, newStatus: after.status };
  const moves = before.status !== after.status;
  return { after, events: [{ ...event, ...statuses }], notify, wakesWorkflow: wakesWorkflow ?? moves };
}
