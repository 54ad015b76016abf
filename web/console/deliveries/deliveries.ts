import { html } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { deliveryCard, type Delivery } from '../delivery-table.ts';
import { get, getPage, send } from '../exchange.ts';
import type { ListDefinition } from '../list-page.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { ageCell, badge, count, facts, section, shortId, text } from '../values.ts';
import { toneOf, words } from '../words.ts';

export const DELIVERIES: ListDefinition<Delivery> = {
  title: 'Deliveries',
  label: 'deliveries',
  intro: 'Webhooks to your systems: those that fail, every attempt, and sending them again.',
  searchHint: 'Id of a delivery or its record',
  filters: [
    { name: '_status', label: 'Status', values: ['PENDING', 'FAILED', 'GAVE_UP', 'DELIVERED'] },
    {
      name: '_kind',
      label: 'About',
      values: ['transaction', 'wallet-verification', 'claim', 'seal', 'reconciliation', 'test'],
    },
  ],
  read: async (range, query) => await getPage('/tenant/me/webhook-deliveries', range, { query }),
  keyOf: ({ id }) => id,
  pathOf: ({ id }) => pathTo('deliveries', id),
  follows: () => true,
  actions: (again) =>
    session.may('DECIDE')
      ? html`<button type="button" @click=${() => openAct(redeliverRange(again))}>
          Send failed ones again
        </button>`
      : '',
  columns: [
    { title: 'Status', width: '110px', cell: ({ status }) => badge(status, toneOf(status)) },
    { title: 'About', width: 'minmax(130px, 1fr)', cell: ({ eventType }) => words(eventType) },
    { title: 'Record', width: '140px', cell: ({ resourceId }) => shortId(resourceId) },
    { title: 'Version', width: '70px', isNumber: true, cell: ({ resourceVersion }) => resourceVersion },
    { title: 'Attempts', width: '80px', isNumber: true, cell: ({ attempts }) => attempts },
    {
      title: 'Last error',
      width: 'minmax(140px, 2fr)',
      cell: ({ lastError }) => text(lastError === null ? null : words(lastError)),
    },
    { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
  ],
  empty: html`<h2>No deliveries</h2>
    <p>None match these filters, or no webhook address is set: it is set in Settings.</p>`,
};

const DAY_MS = 86_400_000;

function redeliverRange(again: () => void): DialogAct {
  const today = new Date();
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return {
    key: 'redeliver-range',
    title: 'Send failed webhooks again',
    explanation:
      'Those that ended without being taken, created on these days. At most 50 a second, the oldest first.',
    label: 'Send again',
    fields: [
      { name: 'from', label: 'From', kind: 'date', isRequired: true, value: day(today.getTime() - DAY_MS) },
      { name: 'to', label: 'To, included', kind: 'date', isRequired: true, value: day(today.getTime()) },
    ],
    run: async ({ from = '', to = '' }) => {
      const total = await redeliverAll(`${from}T00:00:00Z`, `${to}T23:59:59.999Z`);
      again();
      return total === 0 ? 'There was nothing to send again.' : `${count(total)} are sent again.`;
    },
  };
}

/** One call takes about 10,000. */
async function redeliverAll(from: string, to: string): Promise<number> {
  let total = 0;
  let next: string | null = from;
  while (next !== null) {
    const made: { count: number; nextFrom: string | null } = await send(
      'POST',
      '/tenant/me/webhook-deliveries/redeliver',
      {
        body: { from: next, to, status: ['FAILED', 'GAVE_UP'] },
      },
    );
    total += made.count;
    next = made.nextFrom;
  }
  return total;
}

/** One delivery with its attempts. */
export class DeliveryPage extends PagePart {
  recordId = '';
  #delivery = new ApiReading(
    this,
    async () => await get('/tenant/me/webhook-deliveries/{id}', { path: { id: this.recordId } }),
    { follows: () => true },
  );

  override render(): unknown {
    return html`<p class="crumbs">
        <a href=${pathTo('deliveries')}>Deliveries</a> / ${shortId(this.recordId)}
      </p>
      ${this.#delivery.showPage('the delivery', (delivery) => this.#show(delivery))}`;
  }

  #show(delivery: Delivery): unknown {
    const { eventType, resourceId, status } = delivery;
    const page = RECORD_PAGES[eventType];
    return html`<header class="page-head">
        <div>
          <h1>${words(eventType)}</h1>
          <p>${badge(status, toneOf(status))}</p>
        </div>
      </header>
      ${section(
        'Attempts',
        html`${deliveryCard(delivery, () => void this.#delivery.again())}
        ${facts([['Record', page ? html`<a href=${pathTo(page, resourceId)}>${shortId(resourceId)}</a>` : shortId(resourceId)]])}`,
      )}`;
  }
}

const RECORD_PAGES: Partial<Record<Delivery['eventType'], string>> = {
  transaction: 'transactions',
  'wallet-verification': 'verifications',
  claim: 'claims',
};
