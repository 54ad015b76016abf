import type { Actor } from '../../events/actor.ts';
import { basisOfActor, type EventDraft } from '../../events/event.ts';
import { misspeltBlockchain } from '../../normalised-places.ts';
import { hashFault } from '../../transaction-hash.ts';
import { HASH_FIELD } from '../changed-fields.ts';
import type { TransactionRecord } from '../record.ts';

const REASON_FIELDS = new Set(['statusReasoning', 'statusReasonCode']);

/**
 * The log entries of a PATCH: one for data, one for the hash, one for the decision. They have the warnings, because the
 * answer has no body that could.
 */
export function patchEvents(
  before: TransactionRecord,
  after: TransactionRecord,
  { changedFields: fields, actor }: { changedFields: readonly string[]; actor: Actor },
): EventDraft[] {
  const events: EventDraft[] = [];
  const moved = before.status !== after.status;
  // A reason that comes with a decision belongs to the decision's own event.
  const dataFields = fields.filter((field) => !(HASH_FIELD === field || (moved && REASON_FIELDS.has(field))));
  if (dataFields.length > 0) {
    const isMisspelt =
      dataFields.includes('blockchainInfo.blockchain') &&
      misspeltBlockchain(after.blockchain ?? '') !== undefined;
    const data = { fields: dataFields, ...(isMisspelt && { warning: 'UNKNOWN_BLOCKCHAIN' }) };
    events.push({ type: 'DATA_UPDATED', message: 'Data was changed.', actor, data });
  }
  const hashEvent = hashEventOf(before, after, actor);
  if (hashEvent) events.push(hashEvent);
  if (moved) {
    events.push({
      type: 'STATUS_CHANGED',
      message: `The status is now ${after.status}.`,
      actor,
      previousStatus: before.status,
      newStatus: after.status,
      basis: basisOfActor(actor),
    });
  }
  return events;
}

function hashEventOf(before: TransactionRecord, after: TransactionRecord, actor: Actor): EventDraft | null {
  if (before.transactionHash === after.transactionHash) return null;
  if (after.transactionHash === null)
    return { type: 'HASH_REMOVED', message: 'The transaction hash was removed.', actor };
  const isUnusual = hashFault(after.blockchain, after.transactionHash) !== undefined;
  const warned = { actor, ...(isUnusual && { data: { warning: 'UNUSUAL_HASH' } }) };
  return before.transactionHash === null
    ? { type: 'HASH_ADDED', message: 'The transaction hash was added.', ...warned }
    : { type: 'HASH_REPLACED', message: 'The transaction hash was replaced.', ...warned };
}
