import { html, nothing } from 'lit';
import { getPage } from '../exchange.ts';
import { chosenQuery, filterBar, type Filter } from '../filter-bar.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import type { ListSpec } from '../list-row.ts';
import type { RecordList } from '../record-list.ts';
import { ageCell, count, deadline } from '../values.ts';
import { actionWords, reasonWords, words } from '../words.ts';
import { keyOfItem, pathOfItem, type WorkItem } from './work-item.ts';

const FILTERS: readonly Filter[] = [
  {
    name: '_kind',
    label: 'Kind',
    values: [
      'TRANSACTION',
      'VERIFICATION',
      'CLAIM',
      'PROPOSAL',
      'RECONCILIATION',
      'COUNTERPARTY',
      'RULE_CONFIGURATION',
      'WEBHOOK',
      'API_KEY',
      'SERVICE_KEY',
    ],
  },
];
const ORDERS = { newest: 'DESC', oldest: 'ASC' } as const;
/** What no change feed tells: proposals, keys, deadlines that have come. */
const EVERY_MS = 30_000;

/** Everything that waits for a person, and beside it what the selected item is about. */
export class WorkPage extends PagePart {
  #query = new URLSearchParams();
  #spec: ListSpec<WorkItem> | undefined;
  /** Undefined until the list of the spec is read. */
  #total: number | undefined;
  #selected: WorkItem | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #detected = new ApiReading(
    this,
    async () =>
      (await getPage('/wallets', { start: 0, end: 1 }, { query: { _status: 'UNCONFIRMED' } })).total,
    { follows: ({ kind }) => kind === 'wallet' || kind === 'transaction' },
  );

  set query(query: URLSearchParams) {
    if (this.#spec && query.toString() === this.#query.toString()) return;
    this.#query = query;
    this.#spec = this.#specOf(query);
    this.#total = undefined;
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => void this.#list()?.again(), EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  #read(): void {
    this.#total = this.#list()?.total;
    this.requestUpdate();
  }

  #list(): RecordList<WorkItem> | null {
    return this.querySelector<RecordList<WorkItem>>('wb-record-list');
  }

  #specOf(query: URLSearchParams): ListSpec<WorkItem> {
    const order = query.get('order') === 'newest' ? ORDERS.newest : ORDERS.oldest;
    const chosen = { ...chosenQuery(FILTERS, query, false), _sort: 'since', _order: order };
    return {
      label: 'things to do',
      read: async (range) => await getPage('/work-items', range, { query: chosen }),
      keyOf: keyOfItem,
      pathOf: pathOfItem,
      follows: () => true,
      onSelect: (item) => {
        this.#selected = item;
        this.requestUpdate();
      },
      columns: [
        { title: 'What', width: 'minmax(96px, 0.8fr)', cell: ({ kind }) => words(kind) },
        { title: 'Why', width: 'minmax(150px, 1.7fr)', cell: ({ why }) => reasonWords(why) },
        {
          title: 'Next',
          width: 'minmax(130px, 1.2fr)',
          cell: ({ nextAction }) => html`<strong>${actionWords(nextAction)}</strong>`,
        },
        { title: 'Waits', width: '64px', cell: ({ since }) => ageCell(since) },
        { title: 'Deadline', width: '84px', cell: ({ deadlineAt }) => deadline(deadlineAt) },
      ],
      empty: html`<h2>Nothing waits for you</h2>
        <p>
          ${query.has('_kind') ? 'Nothing of this kind.' : 'Held transactions, proofs to review, claims and proposals appear here by themselves.'}
        </p>`,
    };
  }

  override render(): unknown {
    const total = this.#total;
    return html`<header class="page-head">
        <div>
          <h1>
            Work list${total === undefined ? nothing : html` <span class="count">${count(total)}</span>`}
          </h1>
          <p class="dim">Everything that waits for a person, the longest first. Press ? for the keys.</p>
        </div>
      </header>
      ${this.#detectedNote()} ${filterBar(FILTERS, this.#query)}
      <div class="split">
        <wb-record-list .spec=${this.#spec} @read=${() => this.#read()}></wb-record-list>
        ${
          total === undefined || total === 0
            ? nothing
            : html`<wb-work-preview
                .item=${this.#selected}
                @done=${() => void this.#list()?.again()}
              ></wb-work-preview>`
        }
      </div>`;
  }

  /** Wallets wait one by one only where a transfer depends on them; together they are confirmed on their own page. */
  #detectedNote(): unknown {
    const { value = 0 } = this.#detected;
    if (value === 0) return nothing;
    return html`<p class="note attention">
      ${value === 1 ? 'One wallet was' : `${count(value)} wallets were`} detected in incoming messages and not
      confirmed yet.
      <a href=${`${pathTo('wallets')}?_status=UNCONFIRMED`}>Look through them</a>
    </p>`;
  }
}
