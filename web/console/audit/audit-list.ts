import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { getPage } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { badge, shortId, text, timeCell } from '../values.ts';
import { words } from '../words.ts';

type AuditEntry = Schemas['AuditEntry'];

export const AUDIT_LOG: ListDefinition<AuditEntry> = {
  title: 'Audit log',
  label: 'entries',
  intro:
    'Who looked at what and who changed what. Nobody can change it; each batch is chained to the one before.',
  filters: [{ name: '_actor', label: 'Who', values: ['USER', 'API_KEY', 'OPERATOR', 'UNKNOWN'] }],
  read: async (range, query) => await getPage('/tenant/me/audit-log', range, { query }),
  keyOf: ({ id }) => id,
  columns: [
    { title: 'Time', width: '170px', cell: ({ hour, createdAt }) => timeCell(hour ?? createdAt) },
    { title: 'Who', width: 'minmax(150px, 1.4fr)', cell: actorName },
    { title: 'What', width: 'minmax(170px, 1.4fr)', cell: ({ operation }) => operationWords(operation) },
    {
      title: 'Record',
      width: '140px',
      cell: ({ recordId }) => (recordId === null ? text(null) : shortId(recordId)),
    },
    { title: 'Requests', width: '80px', isNumber: true, cell: ({ requests }) => requests },
    {
      title: 'Answer',
      width: '110px',
      cell: ({ status, code }) => (code === null ? text(status) : badge(code, 'bad')),
    },
    { title: 'From', width: 'minmax(100px, 1fr)', cell: ({ address }) => text(address) },
  ],
  empty: html`<h2>No entries</h2>
    <p>None match these filters.</p>`,
};

function actorName({ actor, user, userId, apiKeyId, operator }: AuditEntry): string {
  if (user) return user.name ?? user.email;
  const id = userId ?? apiKeyId;
  if (operator !== null) return `Operator ${operator}`;
  return id === null ? words(actor) : `${words(actor)} ${id.slice(0, 8)}`;
}

/** `listTransactions` is `List transactions`. */
function operationWords(operation: string): string {
  const plain = operation.replaceAll(/([A-Z])/g, ' $1').toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
