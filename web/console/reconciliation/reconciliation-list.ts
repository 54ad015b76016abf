import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { ageCell, badge, shortId, text } from '../values.ts';
import { actionWords, toneOf, words } from '../words.ts';

export const RECONCILIATION: ListDefinition<Schemas['ReconciliationItem']> = {
  title: 'Reconciliation',
  label: 'gaps',
  intro: 'Messages without a transfer, transfers without a message, and answers that do not come.',
  filters: [
    { name: '_kind', label: 'Gap', values: ['HASH_MISSING', 'ANSWER_MISSING', 'MESSAGE_MISSING'] },
    {
      name: '_nextAction',
      label: 'Next',
      values: [
        'ADD_HASH',
        'ADD_BLOCKCHAIN',
        'CLAIM',
        'CONTACT_COUNTERPARTY',
        'DECIDE_ON_ASSETS',
        'FIX_ROUTING',
        'RETRY',
      ],
    },
  ],
  read: async (range, query) => await getPage('/reconciliation', range, { query }),
  keyOf: ({ kind, transactionId }) => `${kind}/${transactionId}`,
  pathOf: ({ transactionId }) => pathTo('transactions', transactionId),
  follows: ({ kind }) => kind === 'transaction' || kind === 'claim',
  columns: [
    { title: 'Gap', width: 'minmax(180px, 1.6fr)', cell: ({ kind }) => words(kind) },
    {
      title: 'Next',
      width: 'minmax(150px, 1.2fr)',
      cell: ({ nextAction }) => html`<strong>${actionWords(nextAction)}</strong>`,
    },
    { title: 'Transaction', width: '140px', cell: ({ transactionId }) => shortId(transactionId) },
    { title: 'Direction', width: '84px', cell: ({ direction }) => (direction === 'INCOMING' ? 'In' : 'Out') },
    { title: 'Status', width: '120px', cell: ({ status }) => badge(status, toneOf(status)) },
    { title: 'Reference', width: 'minmax(90px, 1fr)', cell: ({ reference }) => text(reference) },
    { title: 'Since', width: '80px', cell: ({ since }) => ageCell(since) },
  ],
  empty: html`<h2>Nothing is missing</h2>
    <p>Every transfer has its message and its answer.</p>`,
};
