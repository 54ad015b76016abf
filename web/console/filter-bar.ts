import { html, nothing } from 'lit';
import { filterBy } from './place.ts';
import { words } from './words.ts';

/** A filter of a list, by the name of its query parameter. */
export interface Filter {
  name: string;
  label: string;
  /** None: the filter is set by links alone. */
  values: readonly string[];
  /** What no choice means; all unless given. */
  allLabel?: string;
}

const SEARCH_DELAY_MS = 250;
let searchTimer: ReturnType<typeof setTimeout> | undefined;

/** The filters of a list, and its search. They stand in the address, so a filtered list can be shared and gone back to. */
export function filterBar(filters: readonly Filter[], query: URLSearchParams, searchHint?: string): unknown {
  const isFiltered = filters.some(({ name }) => query.has(name)) || query.has('q');
  return html`<form class="filters" role="search" @submit=${(event: Event) => event.preventDefault()}>
    ${searchHint === undefined ? nothing : searchField(query.get('q') ?? '', searchHint)}
    ${filters.map((filter) => filterField(filter, query.get(filter.name)))}
    ${
      isFiltered
        ? html`<button
            type="button"
            class="quiet"
            @click=${() => filterBy({ q: '', ...Object.fromEntries(filters.map(({ name }) => [name, ''])) })}
          >
            Clear
          </button>`
        : nothing
    }
  </form>`;
}

function filterField({ name, label, values, allLabel }: Filter, chosen: string | null): unknown {
  if (values.length === 0) {
    return chosen === null
      ? nothing
      : html`<span class="filter">${label} <code>${chosen.slice(0, 8)}…</code></span>`;
  }
  return html`<label class="filter"
    ><span>${label}</span
    ><select @change=${(event: Event) => filterBy({ [name]: (event.target as HTMLSelectElement).value })}>
      <option value="" ?selected=${chosen === null}>${allLabel ?? 'All'}</option>
      ${values.map((value) => html`<option value=${value} ?selected=${chosen === value}>${words(value)}</option>`)}
    </select></label
  >`;
}

function searchField(value: string, hint: string): unknown {
  const search = (event: Event) => {
    const { value: text } = event.target as HTMLInputElement;
    clearTimeout(searchTimer);
    searchTimer = setTimeout(() => filterBy({ q: text.trim() }), SEARCH_DELAY_MS);
  };
  return html`<input
    type="search"
    id="search"
    aria-label="Search"
    aria-keyshortcuts="/"
    placeholder=${hint}
    .value=${value}
    @input=${search}
  />`;
}

/** The filters of the address that the list's endpoint knows. */
export function chosenQuery(
  filters: readonly Filter[],
  query: URLSearchParams,
  isSearched: boolean,
): Record<string, string> {
  const names = [...filters.map(({ name }) => name), ...(isSearched ? ['q'] : [])];
  return Object.fromEntries(
    names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? '']] : [])),
  );
}
