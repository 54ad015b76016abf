import { html, nothing } from 'lit';
import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';
import { session } from '../session.ts';
import { timeCell } from '../values.ts';
import { transactionAct, type Again } from './transaction-act.ts';
import type { Transaction } from './transaction-list.ts';

type LegalHold = Schemas['LegalHold'];

/** Says that the record is kept beyond its retention. */
export function legalHoldNote(shown: LegalHold | undefined): unknown {
  if (!shown?.hold) return nothing;
  return html`<p class="note">Legal hold since ${timeCell(shown.setAt)}: ${shown.reason}</p>`;
}

/** The key that sets a legal hold or lifts it, once it is known which of the two. */
export function legalHoldAct(
  transaction: Transaction,
  shown: LegalHold | undefined,
  again: Again,
): OfferedAct[] {
  if (!shown || !session.may('DECIDE')) return [];
  const label = shown.hold ? 'Lift the legal hold' : 'Legal hold';
  return [{ label, key: 'l', start: () => openAct(setLegalHold(transaction, !shown.hold, again)) }];
}

function setLegalHold(transaction: Transaction, hold: boolean, again: Again): DialogAct {
  return transactionAct(transaction, again, {
    title: hold ? 'Keep it beyond its retention' : 'Lift the legal hold',
    explanation: hold
      ? 'It is not erased, however old it is, until the hold is lifted. The other VASP does not learn it.'
      : 'It is erased once its retention is over.',
    label: hold ? 'Keep it' : 'Lift it',
    fields: [
      {
        name: 'reason',
        label: 'Reason',
        kind: 'long',
        isRequired: true,
        hint: 'Such as the file number of the court.',
      },
    ],
    run: async ({ reason = '' }) => {
      const body = { hold, reason: reason.trim() };
      await send('PUT', '/transactions/{id}/legal-hold', { path: { id: transaction.id }, body });
      return hold ? 'The legal hold is on.' : 'The legal hold is lifted.';
    },
  });
}
