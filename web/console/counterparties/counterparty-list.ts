import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { pathTo } from '../place.ts';
import { badge, count, text } from '../values.ts';
import { toneOf, words } from '../words.ts';

export type Counterparty = Schemas['Counterparty'];

export const COUNTERPARTIES: ListDefinition<Counterparty> = {
  title: 'Counterparties',
  label: 'counterparties',
  intro: 'VASPs that you exchange messages with: your policy, and how they answer.',
  searchHint: 'Name, LEI or domain',
  filters: [
    { name: '_policy', label: 'Policy', values: ['ALLOW', 'REVIEW', 'BLOCK'] },
    {
      name: '_warning',
      label: 'Warning',
      values: [
        'REVIEW_OVERDUE',
        'DUE_DILIGENCE_MISSING',
        'HIGH_RISK_COUNTRY',
        'HIGH_RISK',
        'LATE_ANSWERS',
        'INCOMPLETE_MESSAGES',
        'REPEATED_FAILURES',
      ],
    },
  ],
  read: async (range, query) => await getPage('/counterparties', range, { query }),
  keyOf: ({ entityId }) => entityId,
  pathOf: ({ entityId }) => pathTo('counterparties', entityId),
  columns: [
    { title: 'Name', width: 'minmax(160px, 2fr)', cell: ({ entity }) => entity.name },
    { title: 'Policy', width: '100px', cell: ({ policy }) => badge(policy, toneOf(policy)) },
    {
      title: 'Risk',
      width: '90px',
      cell: ({ entity }) => badge(entity.riskSeverity, toneOf(entity.riskSeverity)),
    },
    { title: 'Countries', width: '100px', cell: ({ entity }) => text(entity.countries.join(', ')) },
    { title: 'Sent', width: '70px', isNumber: true, cell: ({ sent }) => count(sent) },
    { title: 'Received', width: '80px', isNumber: true, cell: ({ received }) => count(received) },
    {
      title: 'Answers in',
      width: '90px',
      isNumber: true,
      cell: ({ medianAnswerHours }) => hours(medianAnswerHours),
    },
    {
      title: 'Warnings',
      width: 'minmax(150px, 2fr)',
      cell: ({ warnings }) => text(warnings.map(words).join(', ')),
    },
  ],
  empty: html`<h2>No counterparties</h2>
    <p>None match these filters, or you have exchanged no messages yet.</p>`,
};

export function hours(value: number | null): unknown {
  return value === null ? text(null) : `${value < 10 ? value.toFixed(1) : Math.round(value)} h`;
}
