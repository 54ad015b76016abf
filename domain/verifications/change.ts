import type { EventDraft } from '../events/event.ts';
import type { VerificationRecord } from './record.ts';
import { riskScoreOf } from './risk.ts';

/**
 * A record as it is to be after a change, with what must be told. Version and event chain are set when it is written.
 */
export interface VerificationChange {
  after: VerificationRecord;
  events: EventDraft[];
  /** Send the tenant a webhook with the new state. */
  notify: boolean;
  /** Let the workflow look at the record again. */
  wakesWorkflow: boolean;
}

interface ChangeOptions {
  notify?: boolean;
  wakesWorkflow?: boolean;
}

/**
 * A record with these fields changed, its risk counted anew; the entry gets the statuses before and after. Unless said
 * otherwise the tenant is told, and the workflow where the status moves.
 */
export function changed(
  before: VerificationRecord,
  fields: Partial<VerificationRecord>,
  event: EventDraft,
  { notify = true, wakesWorkflow }: ChangeOptions = {},
): VerificationChange {
  const moved = { ...before, ...fields };
  const after = { ...moved, riskScore: riskScoreOf(moved) };
  const statuses = { previousStatus: before.status, newStatus: after.status };
  const moves = before.status !== after.status;
  return { after, events: [{ ...event, ...statuses }], notify, wakesWorkflow: wakesWorkflow ?? moves };
}
