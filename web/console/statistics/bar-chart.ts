import { html, svg } from 'lit';
import { count } from '../values.ts';

export interface Bar {
  label: string;
  parts: readonly { name: string; value: number }[];
}

const ROW = 30;
const LEFT = 150;
const WIDTH = 560;
const RIGHT = 70;

/** Stacked horizontal bars: names and numbers can be read without the colours, and a table beside it has all of it. */
export function barChart(title: string, bars: readonly Bar[], series: readonly string[]): unknown {
  const sums = bars.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0));
  const most = Math.max(1, ...sums);
  const height = bars.length * ROW + 4;
  return html`<figure class="chart">
    <svg viewBox=${`0 0 ${LEFT + WIDTH + RIGHT} ${height}`} role="img" aria-label=${title}>
      ${bars.map((bar, at) => barRow(bar, { y: at * ROW, scale: WIDTH / most, sum: sums[at] ?? 0, series }))}
    </svg>
    <ul class="legend" aria-hidden="true">
      ${series.map((name, at) => html`<li><span class=${`swatch series-${at + 1}`}></span>${name}</li>`)}
    </ul>
  </figure>`;
}

interface RowPlace {
  y: number;
  scale: number;
  sum: number;
  series: readonly string[];
}

function barRow({ label, parts }: Bar, { y, scale, sum, series }: RowPlace): unknown {
  let x = LEFT;
  const pieces = parts.map(({ name, value }) => {
    const width = value * scale;
    const piece = svg`<rect class=${`series-${series.indexOf(name) + 1}`} x=${x} y=${y + 5} width=${width} height=${ROW - 12}>
      <title>${`${label}, ${name}: ${count(value)}`}</title>
    </rect>`;
    x += width;
    return piece;
  });
  return svg`<text x=${LEFT - 10} y=${y + 19} text-anchor="end">${label}</text>${pieces}
    <text class="sum" x=${x + 8} y=${y + 19}>${count(sum)}</text>`;
}

export interface TableColumn<Row> {
  title: string;
  cell: (row: Row) => unknown;
  isNumber?: boolean;
}

export function dataTable<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly TableColumn<Row>[],
): unknown {
  const classOf = (isNumber: boolean | undefined) => (isNumber ? 'number' : '');
  return html`<table>
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(({ title, isNumber }) => html`<th scope="col" class=${classOf(isNumber)}>${title}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${columns.map(({ cell, isNumber }) => html`<td class=${classOf(isNumber)}>${cell(row)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
