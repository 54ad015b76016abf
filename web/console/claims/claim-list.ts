import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { ageCell, badge, deadline, DASH, text } from '../values.ts';
import { toneOf } from '../words.ts';

export type TransferClaim = Schemas['Claim'];

export const CLAIMS: ListDefinition<TransferClaim> = {
  title: 'Claims',
  label: 'claims',
  intro: 'Questions about transfers that came without a message: yours to others, and others’ to you.',
  searchHint: 'Name, address, hash or id',
  filters: [
    { name: '_direction', label: 'Direction', values: ['INCOMING', 'OUTGOING'] },
    {
      name: '_status',
      label: 'Status',
      values: ['PENDING', 'DELIVERED', 'ANSWERED', 'DECLINED', 'EXPIRED', 'CANCELLED', 'FAILED'],
    },
  ],
  read: async (range, query) => await getPage('/claims', range, { query }),
  keyOf: ({ id }) => id,
  pathOf: ({ id }) => pathTo('claims', id),
  follows: ({ kind }) => kind === 'claim',
  columns: [
    { title: 'Status', width: '110px', cell: ({ status }) => badge(status, toneOf(status)) },
    {
      title: 'Direction',
      width: '120px',
      cell: ({ direction }) => (direction === 'INCOMING' ? 'Asked of you' : 'You asked'),
    },
    { title: 'VASP', width: 'minmax(140px, 1.5fr)', cell: (claim) => text(otherVasp(claim)) },
    { title: 'Asset', width: '80px', cell: ({ asset }) => asset },
    {
      title: 'Hash',
      width: 'minmax(140px, 2fr)',
      cell: ({ blockchainInfo }) => html`<code>${blockchainInfo.transactionHash}</code>`,
    },
    {
      title: 'Deadline',
      width: '110px',
      cell: ({ deadlineAt, status }) => (isOpen(status) ? deadline(deadlineAt) : DASH),
    },
    { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
  ],
  empty: html`<h2>No claims</h2>
    <p>Nobody asks you about a transfer, and you ask nobody.</p>`,
};

export function isOpen(status: TransferClaim['status']): boolean {
  return status === 'PENDING' || status === 'DELIVERED';
}

export function otherVasp({ direction, vaspInfo }: TransferClaim): string | null {
  return direction === 'INCOMING'
    ? vaspInfo.beneficiaryVaspName
    : (vaspInfo.originatorVaspName ?? vaspInfo.originatorVaspEmail);
}
