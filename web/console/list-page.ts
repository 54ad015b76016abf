import { html, nothing } from 'lit';
import type { RowPage, Query, RowRange } from './exchange.ts';
import { chosenQuery, filterBar, type Filter } from './filter-bar.ts';
import { PagePart } from './part.ts';
import type { ListSpec } from './list-row.ts';
import type { RecordList } from './record-list.ts';
import { count } from './values.ts';

/** A page with one list: what it is called, its filters and its columns. */
export interface ListDefinition<Row> extends Omit<ListSpec<Row>, 'read'> {
  title: string;
  /** One sentence of what stands here. */
  intro: string;
  filters: readonly Filter[];
  /** What can be searched for; absent where the list has no search. */
  searchHint?: string;
  read: (range: RowRange, query: Query) => Promise<RowPage<Row>>;
  /** Buttons of the page. */
  actions?: (again: () => void) => unknown;
}

export class ListPage<Row> extends PagePart {
  #definition: ListDefinition<Row> | undefined;
  #query = new URLSearchParams();
  #spec: ListSpec<Row> | undefined;
  /** Undefined until the list of the spec is read. */
  #total: number | undefined;

  /** The definition, and the filters of the address. */
  set shown({ definition, query }: { definition: ListDefinition<Row>; query: URLSearchParams }) {
    const isSame = definition === this.#definition && query.toString() === this.#query.toString();
    this.#query = query;
    this.#definition = definition;
    if (!isSame || !this.#spec) {
      this.#spec = specOf(definition, query);
      this.#total = undefined;
    }
    this.requestUpdate();
  }

  override render(): unknown {
    const definition = this.#definition;
    if (!definition || !this.#spec) return nothing;
    const { title, intro, filters, searchHint, actions } = definition;
    const total = this.#total;
    const again = () => void this.#list()?.again();
    return html`<header class="page-head">
        <div>
          <h1>
            ${title}${total === undefined ? nothing : html` <span class="count">${count(total)}</span>`}
          </h1>
          <p class="dim">${intro}</p>
        </div>
        ${actions?.(again) ?? nothing}
      </header>
      ${filters.length === 0 && searchHint === undefined ? nothing : filterBar(filters, this.#query, searchHint)}
      <wb-record-list .spec=${this.#spec} @read=${() => this.#read()}></wb-record-list>`;
  }

  #read(): void {
    this.#total = this.#list()?.total;
    this.requestUpdate();
  }

  #list(): RecordList<Row> | null {
    return this.querySelector<RecordList<Row>>('wb-record-list');
  }
}

function specOf<Row>(definition: ListDefinition<Row>, query: URLSearchParams): ListSpec<Row> {
  const { filters, searchHint, read } = definition;
  const chosen = chosenQuery(filters, query, searchHint !== undefined);
  return { ...definition, read: async (range) => await read(range, chosen) };
}

/** The element for a definition; the row's type ends here. */
export function listPage<Row>(definition: ListDefinition<Row>, query: URLSearchParams): unknown {
  return html`<wb-list-page .shown=${{ definition, query }}></wb-list-page>`;
}
