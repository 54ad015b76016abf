import { html, nothing, type PropertyValues } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { changeFeed } from './change-feed.ts';
import type { RowRange } from './exchange.ts';
import { isTyping } from './keyboard.ts';
import { listRow, type ListSpec } from './list-row.ts';
import { PagedRows } from './paged-rows.ts';
import { PagePart } from './part.ts';
import { go } from './place.ts';
import { refusalNote, waitingFor } from './reading.ts';

const ROW_PX = 40;
/** Rows that are rendered above and below what is seen. */
const MARGIN = 8;

/** A list of any length: only the rows near those that are seen are in the document. j and k move, Enter opens, x chooses. */
export class RecordList<Row> extends PagePart {
  #spec: ListSpec<Row> | undefined;
  #rows: PagedRows<Row> | undefined;
  #seen: RowRange = { start: 0, end: 20 };
  #selected: string | null = null;
  #chosen = new Set<string>();
  #unsubscribe: (() => void) | undefined;
  #resized = new ResizeObserver(() => this.#look());

  set spec(spec: ListSpec<Row>) {
    if (spec === this.#spec) return;
    this.#spec = spec;
    this.#rows = new PagedRows(spec.read, () => this.#readRows());
    this.#chosen.clear();
    this.#selected = null;
    this.#lastIndex = 0;
    this.#rows.see(this.#seen);
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.#press);
    this.#unsubscribe = changeFeed.subscribe((changes) => {
      const follows = this.#spec?.follows;
      if (follows && changes.some(follows)) void this.again();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#press);
    this.#unsubscribe?.();
    this.#resized.disconnect();
  }

  /** Reads what is seen anew. */
  async again(): Promise<void> {
    await this.#rows?.again();
  }

  get total(): number | undefined {
    return this.#rows?.total;
  }

  /** The rows that are read and chosen. */
  chosenRows(): Row[] {
    const spec = this.#spec;
    return spec ? (this.#rows?.known().filter((row) => this.#chosen.has(spec.keyOf(row))) ?? []) : [];
  }

  chooseNone(): void {
    this.#chosen.clear();
    this.#tellChosen();
  }

  override render(): unknown {
    const spec = this.#spec;
    const rows = this.#rows;
    if (!spec || !rows) return nothing;
    if (rows.total === undefined) {
      return rows.refusal ? refusalNote(rows.refusal, () => void this.again()) : waitingFor(spec.label);
    }
    const refused = rows.refusal ? refusalNote(rows.refusal, () => void this.again()) : nothing;
    if (rows.total === 0)
      return html`${refused}
        <div class="empty">${spec.empty}</div>`;
    return html`${refused}${this.#grid(spec, rows.total)}`;
  }

  protected override updated(_changed: PropertyValues): void {
    const area = this.#area();
    if (area) this.#resized.observe(area);
  }

  #grid(spec: ListSpec<Row>, total: number): unknown {
    const from = Math.max(0, this.#seen.start - MARGIN);
    const to = Math.min(total, this.#seen.end + MARGIN);
    const shown = Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
    const tracks = (spec.onChoose ? '28px ' : '') + spec.columns.map(({ width }) => width).join(' ');
    const selected = this.#indexOfSelected();
    return html`<div
      class="grid"
      role="grid"
      tabindex="0"
      aria-label=${spec.label}
      aria-rowcount=${total + 1}
      aria-multiselectable=${spec.onChoose ? 'true' : nothing}
      aria-activedescendant=${selected >= from && selected < to ? `row-${selected}` : nothing}
      @scroll=${() => this.#look()}
      .style=${`--tracks: ${tracks}`}
    >
      <div class="row head" role="row" aria-rowindex="1">
        ${spec.onChoose ? html`<span role="columnheader" class="cell"><span class="unseen">Chosen</span></span>` : nothing}
        ${spec.columns.map(
          ({ title, isNumber }) =>
            html`<span role="columnheader" class=${isNumber ? 'cell number' : 'cell'}>${title}</span>`,
        )}
      </div>
      <div class="rows" role="rowgroup" .style=${`height: ${total * ROW_PX}px`}>
        ${repeat(
          shown,
          (index) => index,
          (index) => this.#row(spec, index),
        )}
      </div>
    </div>`;
  }

  #row(spec: ListSpec<Row>, index: number): unknown {
    const row = this.#rows?.at(index);
    const key = row && spec.keyOf(row);
    return listRow(spec, row, {
      index,
      top: index * ROW_PX,
      isSelected: key !== undefined && key === this.#selected,
      isChosen: key !== undefined && this.#chosen.has(key),
      onClick: (event) => this.#click(event, row),
      onToggle: () => this.#toggle(row),
    });
  }

  #readRows(): void {
    const rows = this.#rows;
    const spec = this.#spec;
    if (!rows || !spec) return;
    const wanted = this.#wanted === null ? undefined : rows.at(this.#wanted);
    if (wanted) {
      this.#wanted = null;
      this.#select(wanted);
    } else if (this.#selected === null || this.#indexOfSelected() < 0) {
      // What was selected is done: the keyboard stays where it was.
      const row = rows.at(Math.max(0, Math.min(this.#lastIndex, (rows.total ?? 0) - 1)));
      if (row || rows.total === 0) this.#select(row);
    }
    this.requestUpdate();
    this.dispatchEvent(new Event('read'));
  }

  #lastIndex = 0;
  /** The row that the keyboard went to before it was read. */
  #wanted: number | null = null;

  #select(row: Row | undefined): void {
    const spec = this.#spec;
    const key = row && spec ? spec.keyOf(row) : null;
    const isOther = key !== this.#selected;
    this.#selected = key;
    if (key !== null) this.#lastIndex = Math.max(0, this.#indexOfSelected());
    if (isOther) spec?.onSelect?.(row ?? null);
    this.requestUpdate();
  }

  #indexOfSelected(): number {
    const spec = this.#spec;
    if (!spec || this.#selected === null) return -1;
    return this.#rows?.indexOf((row) => spec.keyOf(row) === this.#selected) ?? -1;
  }

  #area(): HTMLElement | null {
    return this.querySelector<HTMLElement>('.grid');
  }

  /** Finds out which rows are seen. */
  #look(): void {
    const area = this.#area();
    if (!area) return;
    const start = Math.floor(area.scrollTop / ROW_PX);
    const end = start + Math.ceil(area.clientHeight / ROW_PX);
    if (start === this.#seen.start && end === this.#seen.end) return;
    this.#seen = { start, end };
    this.#rows?.see({ start, end: Math.min(end, this.total ?? end) });
    this.requestUpdate();
  }

  #press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return;
    const act = this.#keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };

  #keys: Partial<Record<string, () => void>> = {
    j: () => this.#move(1),
    ArrowDown: () => this.#move(1),
    k: () => this.#move(-1),
    ArrowUp: () => this.#move(-1),
    Home: () => this.#moveTo(0),
    End: () => this.#moveTo((this.total ?? 1) - 1),
    PageDown: () => this.#move(10),
    PageUp: () => this.#move(-10),
    Enter: () => this.#open(this.#selectedRow()),
    o: () => this.#open(this.#selectedRow()),
    x: () => this.#toggle(this.#selectedRow()),
  };

  #selectedRow(): Row | undefined {
    const index = this.#indexOfSelected();
    return index < 0 ? undefined : this.#rows?.at(index);
  }

  #move(by: number): void {
    this.#moveTo(Math.max(0, this.#indexOfSelected()) + by);
  }

  #moveTo(wanted: number): void {
    const total = this.total ?? 0;
    const area = this.#area();
    if (total === 0 || !area) return;
    const index = Math.min(Math.max(wanted, 0), total - 1);
    const top = index * ROW_PX;
    const room = area.clientHeight - 2 * ROW_PX;
    if (top < area.scrollTop) area.scrollTop = top;
    if (top > area.scrollTop + room) area.scrollTop = top - room;
    this.#look();
    const row = this.#rows?.at(index);
    this.#wanted = row ? null : index;
    if (row) this.#select(row);
  }

  #open(row: Row | undefined): void {
    const path = row && this.#spec?.pathOf?.(row);
    if (path) go(path);
  }

  #click(event: MouseEvent, row: Row | undefined): void {
    const isLink = event.composedPath().some((target) => target instanceof HTMLAnchorElement);
    if (!row || isLink || event.defaultPrevented) return;
    this.#select(row);
    this.#open(row);
  }

  #toggle(row: Row | undefined): void {
    const spec = this.#spec;
    if (!row || !spec?.onChoose) return;
    const key = spec.keyOf(row);
    if (!this.#chosen.delete(key)) this.#chosen.add(key);
    this.#tellChosen();
  }

  #tellChosen(): void {
    this.#spec?.onChoose?.(this.#chosen);
    this.requestUpdate();
  }
}
