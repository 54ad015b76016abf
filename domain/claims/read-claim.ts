import { COUNTERPARTY } from '../events/actor.ts';
import { claimNoted, type ClaimChange } from './change.ts';
import type { ClaimRecord } from './record.ts';

/** The asked VASP outside has read the name of the asking side's customer. */
export function markClaimRead(claim: ClaimRecord, now: Date): ClaimChange {
  const message = 'The counterparty has read the personal data.';
  const event = { type: 'DATA_READ', message, actor: COUNTERPARTY };
  return claimNoted(claim, event, now);
}
