import { html, nothing } from 'lit';
import type { FeedChange } from './change-feed.ts';
import type { RowPage, RowRange } from './exchange.ts';

interface Column<Row> {
  title: string;
  /** A track of a CSS grid. */
  width: string;
  cell: (row: Row) => unknown;
  isNumber?: boolean;
}

/** What a list shows. A list with another spec begins anew, so keep the object while nothing changes. */
export interface ListSpec<Row> {
  /** The name of the list, and of what it counts: `transactions`. */
  label: string;
  read: (range: RowRange) => Promise<RowPage<Row>>;
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** What is shown instead of no rows. */
  empty: unknown;
  /** The page of a row; null where there is none. */
  pathOf?: (row: Row) => string | null;
  follows?: (change: FeedChange) => boolean;
  /** Tells which row the keyboard is at. */
  onSelect?: (row: Row | null) => void;
  /** Rows can be chosen for a common action: told when the choice changes. */
  onChoose?: (keys: ReadonlySet<string>) => void;
}

interface RowState {
  index: number;
  /** Pixels from the top of the list. */
  top: number;
  isSelected: boolean;
  isChosen: boolean;
  onClick: (event: MouseEvent) => void;
  onToggle: () => void;
}

/** One row of a list; dots while it is read. */
export function listRow<Row>(spec: ListSpec<Row>, row: Row | undefined, state: RowState): unknown {
  const { index, top, isSelected, isChosen, onClick } = state;
  const names = ['row', ...(isSelected ? ['selected'] : []), ...(isChosen ? ['chosen'] : [])];
  return html`<div
    class=${names.join(' ')}
    role="row"
    id=${`row-${index}`}
    aria-rowindex=${index + 2}
    aria-selected=${(spec.onChoose ? isChosen : isSelected) ? 'true' : 'false'}
    .style=${`transform: translateY(${top}px)`}
    @click=${onClick}
  >
    ${row === undefined ? html`<span role="gridcell" class="cell dim">…</span>` : cells(spec, row, state)}
  </div>`;
}

function cells<Row>({ columns, onChoose }: ListSpec<Row>, row: Row, state: RowState): unknown {
  return html`${onChoose ? choice(state) : nothing}${columns.map(
    ({ cell, isNumber }) =>
      html`<span role="gridcell" class=${isNumber ? 'cell number' : 'cell'}>${cell(row)}</span>`,
  )}`;
}

function choice({ index, isChosen, onToggle }: RowState): unknown {
  return html`<span role="gridcell" class="cell"
    ><input
      type="checkbox"
      tabindex="-1"
      aria-label=${`Choose row ${index + 1}`}
      .checked=${isChosen}
      @click=${(event: Event) => event.stopPropagation()}
      @change=${onToggle}
  /></span>`;
}
