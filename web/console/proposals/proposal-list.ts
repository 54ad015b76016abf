import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { ageCell, badge, deadline, DASH } from '../values.ts';
import { toneOf, words } from '../words.ts';

export type Proposal = Schemas['Proposal'];

export const PROPOSALS: ListDefinition<Proposal> = {
  title: 'Proposals',
  label: 'proposals',
  intro: 'What a first person proposed and a second has to agree to.',
  filters: [
    {
      name: '_status',
      label: 'Status',
      values: ['WAITING', 'CARRIED_OUT', 'REFUSED', 'WITHDRAWN', 'OUTDATED', 'EXPIRED'],
    },
    {
      name: '_kind',
      label: 'Kind',
      values: ['REVIEW', 'RULES', 'SUPPRESSION', 'WEBHOOK_URL', 'ADDRESS_QUESTION_URL', 'FOUR_EYES'],
    },
  ],
  read: async (range, query) => await getPage('/proposals', range, { query }),
  keyOf: ({ id }) => id,
  pathOf: ({ id }) => pathTo('proposals', id),
  columns: [
    { title: 'Status', width: '130px', cell: ({ status }) => badge(status, toneOf(status)) },
    { title: 'Kind', width: 'minmax(140px, 1fr)', cell: ({ kind }) => words(kind) },
    { title: 'Proposed by', width: 'minmax(140px, 1fr)', cell: ({ proposedBy }) => proposerName(proposedBy) },
    {
      title: 'Ends',
      width: '120px',
      cell: ({ expiresAt, status }) => (status === 'WAITING' ? deadline(expiresAt) : DASH),
    },
    { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
  ],
  empty: html`<h2>No proposals</h2>
    <p>Nothing waits for a second person.</p>`,
};

export function proposerName({ kind, name, id }: Proposal['proposedBy']): string {
  return name ?? `${words(kind)} ${id.slice(0, 8)}`;
}
