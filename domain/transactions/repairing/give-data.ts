import type { Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { Party, PartyPatch } from '../../parties/party.ts';
import { lacksField } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';
import type { PatchTransactionBody } from '../schema.ts';
import { repairedEvent, timed } from './carry-repair.ts';
import type { RepairField } from '../repair-request.ts';
import { openRepair, withRepair } from '../repair.ts';

interface GivenData {
  after: TransactionRecord;
  event: EventDraft;
}

/**
 * The sender's record after a PATCH that gives data it was asked for: the request goes on for the other fields, and ends
 * with the last one. A field counts as given when it is sent, even with the value that it had. Null when none is.
 */
export function giveData(
  own: TransactionRecord,
  patched: TransactionRecord,
  patch: PatchTransactionBody,
  actor: Actor,
): GivenData | null {
  const repair = own.direction === 'OUTGOING' ? openRepair(own) : null;
  if (!repair || patched.status !== own.status) return null;
  const fields = repair.fields.filter((field) => !isSent(patch, field) || lacksField(patched, field));
  if (fields.length === repair.fields.length) return null;
  const rest = fields.length > 0 ? { ...repair, fields } : null;
  return {
    after: timed(withRepair(patched, rest, rest && own.repairDeadlineAt)),
    event: repairedEvent(repair, rest, actor),
  };
}

/** Fields of a party that say the same as the one that is asked for. */
const ALSO: Partial<Record<string, readonly (keyof Party)[]>> = {
  name: ['firstName', 'lastName'],
  address: ['addressDetails'],
};

function isSent(patch: PatchTransactionBody, field: RepairField): boolean {
  const [section = '', name = ''] = field.split('.');
  if (section === 'blockchainInfo') return Boolean(patch.blockchainInfo?.origin);
  const party: PartyPatch = patch[section as 'originator' | 'beneficiary'] ?? {};
  return [name as keyof Party, ...(ALSO[name] ?? [])].some((key) => Boolean(party[key]));
}
