import type { OfferedAct } from '../act-bar.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { send } from '../exchange.ts';
import { go, pathTo } from '../place.ts';
import { session } from '../session.ts';
import { addHash, dispose } from '../transactions/data-acts.ts';
import { patchTransaction, transactionAct } from '../transactions/transaction-act.ts';
import { transactionActs } from '../transactions/transaction-acts.ts';
import type { Transaction } from '../transactions/transaction-list.ts';

/** What closes a gap between a message and its transfer. */
export function gapActs(transaction: Transaction, nextAction: string, again: () => void): OfferedAct[] {
  if (!session.may('DECIDE')) return [];
  const offer = (label: string, make: () => DialogAct): OfferedAct[] => [
    { label, key: 'a', tone: 'primary', start: () => openAct(make()) },
  ];
  switch (nextAction) {
    case 'ADD_HASH':
      return offer('Add the hash', () => addHash(transaction, again));
    case 'ADD_BLOCKCHAIN':
      return offer('Name the blockchain', () => nameBlockchain(transaction, again));
    case 'CLAIM':
      return offer('Ask the sender’s VASP', () => claim(transaction, again));
    case 'DECIDE_ON_ASSETS':
      return offer('Say what became of the coins', () => dispose(transaction, again));
    case 'CONTACT_COUNTERPARTY':
      return contact(transaction);
    default:
      return transactionActs(transaction, again);
  }
}

function contact({ direction, vaspInfo }: Transaction): OfferedAct[] {
  const { originatorVaspEntityId, beneficiaryVaspEntityId } = vaspInfo;
  const id = direction === 'INCOMING' ? originatorVaspEntityId : beneficiaryVaspEntityId;
  if (id === null) return [];
  return [
    {
      label: 'See the counterparty',
      key: 'a',
      tone: 'primary',
      start: () => go(pathTo('counterparties', id)),
    },
  ];
}

function nameBlockchain(transaction: Transaction, again: () => void): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Name the blockchain',
    label: 'Save',
    fields: [
      {
        name: 'blockchain',
        label: 'Blockchain',
        kind: 'text',
        isRequired: true,
        hint: 'Such as Ethereum or Bitcoin.',
      },
    ],
    run: async ({ blockchain = '' }) => {
      await patchTransaction(transaction, { blockchainInfo: { blockchain: blockchain.trim() } });
      return 'The blockchain is named.';
    },
  });
}

function claim(transaction: Transaction, again: () => void): DialogAct {
  return transactionAct(transaction, again, {
    title: 'Ask the sender’s VASP who sent this',
    label: 'Ask',
    fields: [
      { name: 'name', label: 'Name of the VASP', kind: 'text', hint: 'If you know it.' },
      { name: 'email', label: 'E-mail of its compliance', kind: 'email' },
    ],
    run: async ({ name = '', email = '' }) => {
      const vaspInfo = {
        ...(name.trim() !== '' && { originatorVaspName: name.trim() }),
        ...(email.trim() !== '' && { originatorVaspEmail: email.trim() }),
      };
      const body = Object.keys(vaspInfo).length === 0 ? {} : { vaspInfo };
      await send('POST', '/transactions/{id}/claim', { path: { id: transaction.id }, body });
      return 'The VASP is asked.';
    },
  });
}
