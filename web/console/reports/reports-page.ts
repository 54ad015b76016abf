import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { downloadBy } from '../download.ts';
import { get, send } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { bytes, count, section, timeCell } from '../values.ts';

type Report = Schemas['MonthlyReport'];

/** The monthly reports, which are made by themselves and can be made anew. */
export class ReportsPage extends PagePart {
  #reports = new ApiReading(this, async () => await get('/tenant/me/reports'));

  override render(): unknown {
    return html`<header class="page-head">
        <div>
          <h1>Reports</h1>
          <p class="dim">
            One CSV file per month of all transactions created in it, without data of the parties.
          </p>
        </div>
        ${
          session.may('EXPORT')
            ? html`<button
                type="button"
                @click=${() => openAct(makeReport(() => void this.#reports.again()))}
              >
                Make a report
              </button>`
            : nothing
        }
      </header>
      ${this.#reports.show('the reports', (reports) => section('Months', reportTable(reports)))}`;
  }
}

function reportTable(reports: readonly Report[]): unknown {
  if (reports.length === 0) {
    return html`<div class="empty">
      <h2>No reports yet</h2>
      <p>That of a month is made when the month is over.</p>
    </div>`;
  }
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Month</th>
        <th scope="col" class="number">Rows</th>
        <th scope="col" class="number">Size</th>
        <th scope="col">Made</th>
        <th scope="col">SHA-256</th>
        <th scope="col"><span class="unseen">Download</span></th>
      </tr>
    </thead>
    <tbody>
      ${reports.map(
        ({ month, rows, sizeBytes, generatedAt, sha256 }) =>
          html`<tr>
            <td>${month}</td>
            <td class="number">${count(rows)}</td>
            <td class="number">${bytes(sizeBytes)}</td>
            <td>${timeCell(generatedAt)}</td>
            <td><code title=${sha256}>${sha256.slice(0, 12)}…</code></td>
            <td>
              ${
                session.may('EXPORT')
                  ? html`<button
                      type="button"
                      class="small"
                      aria-label=${`Download ${month}`}
                      @click=${() =>
                        void downloadBy(
                          async () =>
                            await get('/tenant/me/reports/{ym}/download-url', { path: { ym: month } }),
                        )}
                    >
                      Download
                    </button>`
                  : nothing
              }
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function makeReport(again: () => void): DialogAct {
  const last = new Date();
  last.setUTCMonth(last.getUTCMonth() - 1, 1);
  return {
    key: 'report',
    title: 'Make the report of a month',
    explanation: 'Any of the last 36 months; an earlier report of it is replaced. It takes a moment.',
    label: 'Make it',
    fields: [
      {
        name: 'month',
        label: 'Month',
        kind: 'text',
        isRequired: true,
        value: last.toISOString().slice(0, 7),
        hint: 'As 2026-10.',
      },
    ],
    run: async ({ month = '' }) => {
      await send('POST', '/tenant/me/reports/{ym}', { path: { ym: month.trim() } });
      again();
      return 'The report is being made. It appears here when it is done.';
    },
  };
}
