import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { get, send } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { barChart, dataTable, type Bar } from '../statistics/bar-chart.ts';
import { date } from '../times.ts';
import { badge, count, section, shortId } from '../values.ts';
import { toneOf, words } from '../words.ts';

type Backtest = Schemas['RuleBacktest'];

const EVERY_MS = 1_500;
const DAY_MS = 86_400_000;
const SHOWN_CHANGES = 20;
const VERDICTS = ['PROCEED', 'REVIEW', 'WAIT', 'BLOCK'] as const;

/** Tries the saved draft on past transactions and shows what it would have decided otherwise. */
export class RuleBacktests extends PagePart {
  configurationId = '';
  #timer: ReturnType<typeof setTimeout> | undefined;
  #latest = new ApiReading(this, async () => await this.#readLatest());

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  async #readLatest(): Promise<Backtest | null> {
    const id = this.configurationId;
    const [latest] = await get('/rule-engine/{id}/backtests', { path: { id }, query: { _end: '1' } });
    if (!latest) return null;
    const path = { id, backtestId: latest.id };
    const backtest = await get('/rule-engine/{id}/backtests/{backtestId}', { path });
    clearTimeout(this.#timer);
    if (backtest.status === 'RUNNING') this.#timer = setTimeout(() => void this.#latest.again(), EVERY_MS);
    return backtest;
  }

  override render(): unknown {
    return section(
      'Back-test',
      this.#latest.show('the latest back-test', (backtest) =>
        backtest === null
          ? html`<p class="dim">The draft was not tried on past transactions yet.</p>`
          : backtestCard(backtest),
      ),
      session.may('DECIDE')
        ? html`<button type="button" @click=${() => openAct(this.#start())}>
            Try the saved draft on the past
          </button>`
        : nothing,
    );
  }

  #start(): DialogAct {
    const today = Date.now();
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    return {
      key: `backtest/${this.configurationId}`,
      title: 'Try the saved draft on past transactions',
      label: 'Start',
      fields: [
        { name: 'from', label: 'From', kind: 'date', isRequired: true, value: day(today - 30 * DAY_MS) },
        { name: 'to', label: 'To, included', kind: 'date', isRequired: true, value: day(today) },
      ],
      run: async ({ from = '', to = '' }) => {
        const end = new Date(Math.min(Date.parse(`${to}T23:59:59.999Z`), Date.now())).toISOString();
        await send('POST', '/rule-engine/{id}/backtest', {
          path: { id: this.configurationId },
          body: { source: 'DRAFT', from: `${from}T00:00:00Z`, to: end },
        });
        await this.#latest.again();
        return 'The back-test runs.';
      },
    };
  }
}

function backtestCard(backtest: Backtest): unknown {
  const { status, from, to, processed, total, changed, transitions, changes } = backtest;
  return html`<p>
      ${badge(status, toneOf(status))} ${date(from)} to ${date(to)}: ${count(processed)}
      ${total === null ? '' : `of ${count(total)}`} decisions, ${count(changed)} would be others.
    </p>
    ${status === 'RUNNING' ? html`<progress aria-label="Back-test" max=${total ?? 1} .value=${processed}></progress>` : nothing}
    ${processed === 0 ? nothing : barChart('Decisions before and after', bars(backtest), VERDICTS.map(words))}
    ${
      transitions.length === 0
        ? nothing
        : dataTable('Changed decisions', transitions, [
            { title: 'Decided', cell: ({ before }) => words(before) },
            { title: 'Would decide', cell: ({ after }) => words(after) },
            { title: 'Transactions', isNumber: true, cell: (one) => count(one.count) },
          ])
    }
    ${changes.length === 0 ? nothing : changeList(changes)}`;
}

function bars({ before, after }: Backtest): Bar[] {
  const bar = (label: string, counts: Backtest['before']): Bar => ({
    label,
    parts: VERDICTS.map((verdict) => ({ name: words(verdict), value: counts[verdict] })),
  });
  return [bar('As decided', before), bar('With the draft', after)];
}

function changeList(changes: Backtest['changes']): unknown {
  return html`<details>
    <summary>Examples</summary>
    <ul class="bare">
      ${changes.slice(0, SHOWN_CHANGES).map(
        ({ transactionId, before, after }) =>
          html`<li>
            <a href=${pathTo('transactions', transactionId)}>${shortId(transactionId)}</a>
            ${badge(before.decision, toneOf(before.decision))} →
            ${badge(after.decision, toneOf(after.decision))}
          </li>`,
      )}
    </ul>
  </details>`;
}
