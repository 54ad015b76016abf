import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { session } from '../session.ts';
import { addHash, askForData, dispose, nameVasp, note, provideData, retry } from './data-acts.ts';
import { cancel, confirmWallet, decline, review } from './decision-acts.ts';
import type { Again } from './transaction-act.ts';
import type { Transaction } from './transaction-list.ts';

/** What the person can do with a transaction now. `again` reads it anew. */
export function transactionActs(transaction: Transaction, again: Again): OfferedAct[] {
  if (!session.may('DECIDE')) return [];
  return [
    ...(NEXT_ACTS[transaction.clearance.nextAction]?.(transaction, again) ?? []),
    ...furtherActs(transaction, again),
  ];
}

type Offer = (transaction: Transaction, again: Again) => OfferedAct[];

/** The acts for each next action; the others are not for a person of this tenant. */
const NEXT_ACTS: Partial<Record<Transaction['clearance']['nextAction'], Offer>> = {
  REVIEW: (transaction, again) => [
    helps('Proceed', () => review(transaction, 'PROCEED', again)),
    ends('Block', () => review(transaction, 'BLOCK', again)),
  ],
  CONFIRM_WALLET: (transaction, again) => [
    helps('The wallet is ours', () => confirmWallet(transaction, again)),
    ends('Decline', () => decline(transaction, again)),
  ],
  FIX_ROUTING: (transaction, again) => [helps('Name the VASP', () => nameVasp(transaction, again))],
  PROVIDE_DATA: (transaction, again) => [helps('Provide the data', () => provideData(transaction, again))],
  RETRY: (transaction, again) => [helps('Try again', () => retry(transaction, again))],
  ADD_HASH: (transaction, again) => [helps('Add the hash', () => addHash(transaction, again))],
};

function helps(label: string, make: () => DialogAct): OfferedAct {
  return { label, key: 'a', tone: 'primary', start: () => openAct(make()) };
}

function ends(label: string, make: () => DialogAct): OfferedAct {
  return { label, key: 'd', tone: 'danger', start: () => openAct(make()) };
}

function furtherActs(transaction: Transaction, again: Again): OfferedAct[] {
  const { direction, status, sealed } = transaction;
  const isOpen = status === 'PENDING' || status === 'DELIVERED';
  const isIncoming = direction === 'INCOMING';
  return [
    ...(isIncoming && status === 'DELIVERED' && !sealed
      ? [{ label: 'Ask for data', key: 'r', start: () => openAct(askForData(transaction, again)) }]
      : []),
    ...(isIncoming && status !== 'CONFIRMED'
      ? [
          {
            label: 'Say what became of the coins',
            key: 'c',
            start: () => openAct(dispose(transaction, again)),
          },
        ]
      : []),
    ...(!isIncoming && isOpen
      ? [
          {
            label: 'Cancel',
            key: 'c',
            tone: 'danger' as const,
            start: () => openAct(cancel(transaction, again)),
          },
        ]
      : []),
    { label: 'Note', key: 'n', start: () => openAct(note(transaction, again)) },
  ];
}
