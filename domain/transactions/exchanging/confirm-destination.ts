import { DomainError } from '../../errors.ts';
import { COUNTERPARTY } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { PairChange } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { isFinal } from '../state.ts';

/**
 * The other side says that the destination is its own: it can read the personal data from now on, and the sender's log shows
 * it. Throws invalid_transition for a message that is over: nobody needs its data any more.
 */
export function confirmDestination(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  now: Date,
): PairChange {
  if (isFinal(own.status)) {
    const text = `A transaction that is ${own.status} keeps its personal data hidden.`;
    throw new DomainError('invalid_transition', text, { members: { allowed: [] } });
  }
  const after = { ...own, sealed: false, awaitsWallet: false, isDestinationConfirmed: true, updatedAt: now };
  return {
    own: { after, events: [confirmedEvent('The destination is confirmed as an own one.')], ...QUIET },
    counterpart: counterpart && {
      after: { ...counterpart, updatedAt: now },
      events: [
        confirmedEvent(
          'The beneficiary VASP has confirmed the destination; it can read the personal data now.',
        ),
      ],
      ...QUIET,
    },
    forwarded: null,
  };
}

const QUIET = { notify: false, wakesWorkflow: false };

function confirmedEvent(message: string): EventDraft {
  return { type: 'DESTINATION_CONFIRMED', message, actor: COUNTERPARTY };
}
