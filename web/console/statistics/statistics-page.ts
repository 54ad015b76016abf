import { html } from 'lit';
import type { Schemas } from '../api-types.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { filterBy } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { dateTime } from '../times.ts';
import { count, section } from '../values.ts';
import { words } from '../words.ts';
import { barChart, dataTable, type Bar } from './bar-chart.ts';

type Statistics = Schemas['Statistics'];

const STATUSES = ['CONFIRMED', 'DELIVERED', 'PENDING', 'DECLINED', 'FAILED', 'CANCELLED'] as const;
const DIRECTIONS = ['OUTGOING', 'INCOMING'] as const;
const VERDICTS = ['PROCEED', 'REVIEW', 'WAIT', 'BLOCK'] as const;
const FLOWS = ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF', 'SELF_DECLARED', null] as const;
const PROOF_STATUSES = ['VERIFIED', 'PENDING', 'ACTION_REQUIRED', 'DECLINED', 'FAILED'] as const;

/** A month in numbers: charts, and the same as tables. */
export class StatisticsPage extends PagePart {
  #month = '';
  #statistics = new ApiReading(
    this,
    async () =>
      await get('/tenant/me/statistics', { query: this.#month === '' ? {} : { month: this.#month } }),
  );

  set query(query: URLSearchParams) {
    const month = query.get('month') ?? '';
    if (month === this.#month) return;
    this.#month = month;
    if (this.isConnected) void this.#statistics.again();
  }

  override render(): unknown {
    const shown = this.#statistics.value?.month ?? '';
    return html`<header class="page-head">
        <div>
          <h1>Statistics</h1>
          <p class="dim">By the month in which each record was created.</p>
        </div>
        <label class="filter"
          >Month
          <select @change=${(event: Event) => filterBy({ month: (event.target as HTMLSelectElement).value })}>
            ${lastMonths().map((month) => html`<option value=${month} ?selected=${month === shown}>${month}</option>`)}
          </select></label
        >
      </header>
      ${this.#statistics.show('the statistics', showMonth)}`;
  }
}

function lastMonths(): string[] {
  const now = new Date();
  return Array.from({ length: 24 }, (_, back) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1)).toISOString().slice(0, 7),
  );
}

function showMonth(statistics: Statistics): unknown {
  const { asOf, timeZone, complete } = statistics;
  return html`<p class="dim">
      As of ${dateTime(asOf)}, months of ${timeZone}.
      ${complete ? '' : 'Not all of the month is counted yet.'}
    </p>
    ${section('Transactions', transactions(statistics))}
    ${section('Decisions of the rules', decisions(statistics))}
    ${section('Proofs of wallets', proofs(statistics))} ${section('Answers', answers(statistics))}
    ${section('Screening, claims and webhooks', rest(statistics))}`;
}

function transactions({ transactions: counted }: Statistics): unknown {
  if (counted.length === 0) return html`<p class="dim">No transactions in this month.</p>`;
  const bars = DIRECTIONS.map((direction): Bar => ({
    label: words(direction),
    parts: STATUSES.flatMap((status) =>
      counted
        .filter((one) => one.direction === direction && one.status === status)
        .map((one) => ({ name: words(status), value: one.count })),
    ),
  }));
  return html`${barChart('Transactions by direction and status', bars, STATUSES.map(words))}
  ${dataTable('Transactions', counted, [
    { title: 'Direction', cell: ({ direction }) => words(direction) },
    { title: 'Status', cell: ({ status }) => words(status) },
    { title: 'Count', isNumber: true, cell: (one) => count(one.count) },
    { title: 'Volume, EUR', isNumber: true, cell: ({ volumeEur }) => decimal(volumeEur) },
    { title: 'Without a price', isNumber: true, cell: ({ withoutValue }) => count(withoutValue) },
  ])}`;
}

function decimal(text: string): string {
  return new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    Number(text),
  );
}

function decisions({ ruleDecisions }: Statistics): unknown {
  if (ruleDecisions.length === 0) return html`<p class="dim">The rules decided on nothing.</p>`;
  const bars = DIRECTIONS.map((direction): Bar => ({
    label: words(direction),
    parts: VERDICTS.flatMap((decision) =>
      ruleDecisions
        .filter((one) => one.direction === direction && one.decision === decision)
        .map((one) => ({ name: words(decision), value: one.count })),
    ),
  }));
  return html`${barChart('Decisions by direction', bars, VERDICTS.map(words))}
  ${dataTable('Decisions', ruleDecisions, [
    { title: 'Direction', cell: ({ direction }) => words(direction) },
    { title: 'Decision', cell: ({ decision }) => words(decision) },
    { title: 'Count', isNumber: true, cell: (one) => count(one.count) },
  ])}`;
}

function proofs({ verifications, reuseHits }: Statistics): unknown {
  if (verifications.length === 0) return html`<p class="dim">No proofs were asked for.</p>`;
  const nameOf = (flow: Statistics['verifications'][number]['flow']) =>
    flow === null ? 'Not begun' : words(flow);
  const bars = FLOWS.map((flow): Bar => ({
    label: nameOf(flow),
    parts: PROOF_STATUSES.flatMap((status) =>
      verifications
        .filter((one) => one.flow === flow && one.status === status)
        .map((one) => ({ name: words(status), value: one.count })),
    ),
  })).filter(({ parts }) => parts.length > 0);
  return html`${barChart('Proofs by method and status', bars, PROOF_STATUSES.map(words))}
    ${dataTable('Proofs', verifications, [
      { title: 'Method', cell: ({ flow }) => nameOf(flow) },
      { title: 'Status', cell: ({ status }) => words(status) },
      { title: 'Count', isNumber: true, cell: (one) => count(one.count) },
    ])}
    <p>Taken over from earlier proofs: ${count(reuseHits)}</p>`;
}

function answers({ answers: counted }: Statistics): unknown {
  if (counted.length === 0) return html`<p class="dim">No answers in this month.</p>`;
  return dataTable('Answers', counted, [
    { title: 'Direction', cell: ({ direction }) => words(direction) },
    { title: 'Answers', isNumber: true, cell: (one) => count(one.count) },
    { title: 'Median', isNumber: true, cell: ({ medianHours }) => `${medianHours.toFixed(1)} h` },
    { title: '95 % within', isNumber: true, cell: ({ p95Hours }) => `${p95Hours.toFixed(1)} h` },
  ]);
}

function rest({ screenings, claims, webhooks }: Statistics): unknown {
  const rows = [
    ['Transactions screened', screenings.transactions],
    ['Screened by request', screenings.requests],
    ['Possible matches', screenings.possible],
    ['Sanctioned', screenings.sanctioned],
    ['Screened with lists missing', screenings.incomplete],
    ...claims.map(
      (one) =>
        [
          `Claims, ${words(one.direction).toLowerCase()}, ${words(one.status).toLowerCase()}`,
          one.count,
        ] as const,
    ),
    ['Webhooks delivered', webhooks.delivered],
    ['Webhooks given up', webhooks.gaveUp],
  ] as const;
  return dataTable('Counts', rows, [
    { title: 'What', cell: ([what]) => what },
    { title: 'Count', isNumber: true, cell: ([, value]) => count(value) },
  ]);
}
