import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { openAct, type DialogAct } from '../act-dialog.ts';
import { getPage, Refusal, send } from '../exchange.ts';
import { chosenQuery, filterBar, type Filter } from '../filter-bar.ts';
import { PagePart } from '../part.ts';
import type { ListSpec } from '../list-row.ts';
import type { RecordList } from '../record-list.ts';
import { session } from '../session.ts';
import { ageCell, badge, count, text } from '../values.ts';
import { toneOf, words } from '../words.ts';

type Wallet = Schemas['Wallet'];

const FILTERS: readonly Filter[] = [
  { name: '_status', label: 'Status', values: ['CONFIRMED', 'UNCONFIRMED'] },
];

/** The tenant's own wallets: those that it registered and those that messages named. */
export class WalletsPage extends PagePart {
  #query = new URLSearchParams();
  #spec: ListSpec<Wallet> | undefined;
  /** Undefined until the list of the spec is read. */
  #total: number | undefined;
  #chosen: ReadonlySet<string> = new Set();

  set query(query: URLSearchParams) {
    if (this.#spec && query.toString() === this.#query.toString()) return;
    this.#query = query;
    this.#chosen = new Set();
    this.#spec = this.#specOf(query);
    this.#total = undefined;
    this.requestUpdate();
  }

  #specOf(query: URLSearchParams): ListSpec<Wallet> {
    const chosen = chosenQuery(FILTERS, query, true);
    return {
      label: 'wallets',
      read: async (range) => await getPage('/wallets', range, { query: chosen }),
      keyOf: ({ id }) => String(id),
      follows: ({ kind }) => kind === 'wallet',
      ...(session.may('DECIDE') && {
        onChoose: (keys: ReadonlySet<string>) => {
          this.#chosen = keys;
          this.requestUpdate();
        },
      }),
      columns: [
        { title: 'Status', width: '120px', cell: ({ status }) => badge(status, toneOf(status)) },
        {
          title: 'Address',
          width: 'minmax(200px, 2.4fr)',
          cell: ({ address }) => html`<code title=${address}>${address}</code>`,
        },
        { title: 'Blockchain', width: 'minmax(90px, 1fr)', cell: ({ blockchain }) => words(blockchain) },
        { title: 'Asset', width: '80px', cell: ({ asset }) => (asset === '*' ? 'All' : asset) },
        { title: 'Holder', width: 'minmax(90px, 1fr)', cell: ({ holderName }) => text(holderName) },
        { title: 'Came by', width: '90px', cell: ({ source }) => words(source) },
        { title: 'Age', width: '70px', cell: ({ createdAt }) => ageCell(createdAt) },
      ],
      empty: html`<h2>No wallets</h2>
        <p>None match. Upload a CSV file of your custodial wallets, so that messages for them find you.</p>`,
    };
  }

  #read(): void {
    this.#total = this.#list()?.total;
    this.requestUpdate();
  }

  #list(): RecordList<Wallet> | null {
    return this.querySelector<RecordList<Wallet>>('wb-record-list');
  }

  override render(): unknown {
    const total = this.#total;
    const again = () => void this.#list()?.again();
    return html`<header class="page-head">
        <div>
          <h1>Wallets${total === undefined ? nothing : html` <span class="count">${count(total)}</span>`}</h1>
          <p class="dim">Addresses that are yours. Messages for a confirmed one are shown to you.</p>
        </div>
        ${session.may('DECIDE') ? html`<wb-act-bar .acts=${this.#acts(again)}></wb-act-bar>` : nothing}
      </header>
      ${session.may('DECIDE') ? html`<wb-csv-upload @imported=${again}></wb-csv-upload>` : nothing}
      ${filterBar(FILTERS, this.#query, 'Address, holder or metadata')}
      <wb-record-list .spec=${this.#spec} @read=${() => this.#read()}></wb-record-list>`;
  }

  #acts(again: () => void) {
    const number = this.#chosen.size;
    const acts = [{ label: 'Add a wallet', key: 'n', start: () => openAct(addWallet(again)) }];
    if (number === 0) return acts;
    const label = number === 1 ? 'Confirm 1 wallet' : `Confirm ${count(number)} wallets`;
    const confirm = {
      label,
      key: 'a',
      tone: 'primary' as const,
      start: () => openAct(this.#confirm(label, again)),
    };
    return [confirm, ...acts];
  }

  #confirm(label: string, again: () => void): DialogAct {
    const ids = [...this.#chosen].map(Number);
    return {
      key: `confirm/${ids.join()}`,
      title: label,
      explanation: 'They count as yours from then on, and messages for them are shown.',
      label: 'Confirm',
      fields: [],
      run: async () => {
        const gone = await confirmAll(ids);
        this.#list()?.chooseNone();
        again();
        return confirmedWords(ids.length - gone, gone);
      },
    };
  }
}

/** Confirms those of the wallets that are still there. Returns how many are not: somebody has deleted them meanwhile. */
async function confirmAll(ids: readonly number[]): Promise<number> {
  try {
    await send('PATCH', '/wallets', { body: [...ids] });
    return 0;
  } catch (error) {
    const unknown =
      error instanceof Refusal && error.code === 'not_found' ? error.problem?.['ids'] : undefined;
    if (!Array.isArray(unknown) || unknown.length === 0) throw error;
    const left = ids.filter((id) => !unknown.includes(id));
    return unknown.length + (left.length === 0 ? 0 : await confirmAll(left));
  }
}

function confirmedWords(confirmed: number, gone: number): string {
  const done = confirmed === 1 ? 'The wallet is confirmed.' : `${count(confirmed)} wallets are confirmed.`;
  if (gone === 0) return done;
  return `${done} ${gone === 1 ? 'One was' : `${count(gone)} were`} deleted meanwhile.`;
}

function addWallet(again: () => void): DialogAct {
  return {
    key: 'wallet',
    title: 'Add a wallet',
    label: 'Add',
    fields: [
      { name: 'address', label: 'Address', kind: 'text', isRequired: true },
      {
        name: 'blockchain',
        label: 'Blockchain',
        kind: 'text',
        isRequired: true,
        hint: 'Such as Ethereum or Bitcoin.',
      },
      { name: 'asset', label: 'Asset', kind: 'text', isRequired: true, value: '*', hint: '* for all.' },
      {
        name: 'holderName',
        label: 'Holder',
        kind: 'text',
        hint: 'Compared with the beneficiary of messages.',
      },
    ],
    run: async ({ address = '', blockchain = '', asset = '*', holderName = '' }) => {
      const holder = holderName.trim() === '' ? {} : { holderName: holderName.trim() };
      const body = { address: address.trim(), blockchain: blockchain.trim(), asset: asset.trim(), ...holder };
      await send('POST', '/wallets', { body });
      again();
      return 'The wallet is added.';
    },
  };
}
