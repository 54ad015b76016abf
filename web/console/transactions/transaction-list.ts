import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { ageCell, badge, eur, text } from '../values.ts';
import { toneOf, words } from '../words.ts';

export type Transaction = Schemas['Transaction'];

export const TRANSACTIONS: ListDefinition<Transaction> = {
  title: 'Transactions',
  label: 'transactions',
  intro: 'Every Travel Rule message that you sent, received or recorded.',
  searchHint: 'Name, address, hash, reference or id',
  filters: [
    { name: '_clearance', label: 'Coins', values: ['GO', 'WAIT', 'STOP'] },
    { name: '_direction', label: 'Direction', values: ['OUTGOING', 'INCOMING'] },
    {
      name: '_status',
      label: 'Status',
      values: ['PENDING', 'DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED'],
    },
    {
      name: '_nextAction',
      label: 'Next',
      values: [
        'REVIEW',
        'CONFIRM_WALLET',
        'FIX_ROUTING',
        'PROVIDE_DATA',
        'RETRY',
        'PROVE_OWNERSHIP',
        'ADD_HASH',
      ],
    },
    {
      name: '_hold',
      label: 'Held for',
      values: [
        'SANCTIONS',
        'RULE',
        'UNSCREENED',
        'COUNTERPARTY',
        'INCOMPLETE_PARTY',
        'MAILBOX',
        'TRAVEL_ADDRESS',
      ],
    },
    { name: '_counterpartyEntityId', label: 'Counterparty', values: [] },
  ],
  read: async (range, query) => await getPage('/transactions', range, { query }),
  keyOf: ({ id }) => id,
  pathOf: ({ id }) => pathTo('transactions', id),
  follows: ({ kind }) => kind === 'transaction',
  columns: [
    { title: 'Coins', width: '130px', cell: ({ clearance }) => clearanceBadge(clearance.outcome) },
    { title: 'Direction', width: '84px', cell: ({ direction }) => (direction === 'INCOMING' ? 'In' : 'Out') },
    { title: 'Amount', width: 'minmax(110px, 1fr)', isNumber: true, cell: amountText },
    { title: 'In euro', width: '110px', isNumber: true, cell: ({ amountEur }) => text(eur(amountEur)) },
    {
      title: 'Counterparty',
      width: 'minmax(140px, 1.4fr)',
      cell: (transaction) => text(counterpartyName(transaction)),
    },
    { title: 'Status', width: 'minmax(160px, 1.2fr)', cell: statusCell },
    { title: 'Reference', width: 'minmax(90px, 1fr)', cell: ({ reference }) => text(reference) },
    { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
  ],
  empty: html`<h2>No transactions</h2>
    <p>
      None match these filters, or none were created yet: <code>POST /transactions</code> makes the first.
    </p>`,
};

export function clearanceBadge(outcome: Transaction['clearance']['outcome']): unknown {
  return badge(outcome, toneOf(outcome));
}

export function amountText({ amountDecimal, asset }: Pick<Transaction, 'amountDecimal' | 'asset'>): string {
  return `${amountDecimal ?? '?'} ${asset}`;
}

/** The VASP on the other side. */
export function counterpartyName({ direction, vaspInfo, blockchainInfo }: Transaction): string | null {
  if (direction === 'INCOMING') return vaspInfo.originatorVaspName ?? vaspInfo.originatorVaspEmail;
  if (blockchainInfo.destinationType === 'NON_CUSTODIAL') return 'Self-hosted wallet';
  return vaspInfo.beneficiaryVaspName ?? vaspInfo.beneficiaryVaspEmail;
}

function statusCell({ status, subStatus }: Transaction): unknown {
  return html`${badge(status, toneOf(status))}
    <span class="dim">${subStatus === null ? '' : words(subStatus)}</span>`;
}
