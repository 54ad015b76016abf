import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { ageCell, badge, DASH, text } from '../values.ts';
import { toneOf, words } from '../words.ts';

export type Verification = Schemas['WalletVerification'];

export const VERIFICATIONS: ListDefinition<Verification> = {
  title: 'Wallet verifications',
  label: 'verifications',
  intro: 'Proofs that a self-hosted wallet is your customer’s.',
  searchHint: 'Address or id',
  filters: [
    {
      name: '_status',
      label: 'Status',
      values: ['PENDING', 'ACTION_REQUIRED', 'VERIFIED', 'DECLINED', 'FAILED'],
    },
    {
      name: '_flow',
      label: 'Proof',
      values: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF', 'SELF_DECLARED'],
    },
    {
      name: '_step',
      label: 'Step',
      values: ['NOT_STARTED', 'ACTION_REQUIRED', 'VERIFIED', 'DECLINED', 'FAILED'],
    },
  ],
  read: async (range, query) => await getPage('/wallet-verification', range, { query }),
  keyOf: ({ id }) => id,
  pathOf: ({ id }) => pathTo('verifications', id),
  follows: ({ kind }) => kind === 'wallet-verification',
  columns: [
    { title: 'Status', width: '140px', cell: ({ status }) => badge(status, toneOf(status)) },
    { title: 'Proof', width: '150px', cell: ({ flow }) => (flow === null ? DASH : words(flow)) },
    { title: 'Address', width: 'minmax(160px, 2fr)', cell: ({ address }) => html`<code>${address}</code>` },
    {
      title: 'Blockchain',
      width: 'minmax(90px, 1fr)',
      cell: ({ blockchain, asset }) => `${blockchain}, ${asset}`,
    },
    {
      title: 'Customer',
      width: 'minmax(90px, 1fr)',
      cell: ({ customerIdentification }) => text(customerIdentification),
    },
    { title: 'Risk', width: '80px', cell: ({ riskSeverity }) => badge(riskSeverity, toneOf(riskSeverity)) },
    { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
  ],
  empty: html`<h2>No verifications</h2>
    <p>None match these filters, or none were asked for yet.</p>`,
};
