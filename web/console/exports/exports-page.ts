import { html, nothing } from 'lit';
import { openAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { downloadBy } from '../download.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { ApiReading } from '../reading.ts';
import { badge, bytes, count, DASH, section, timeCell } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { exportDossier, exportRecords } from './export-acts.ts';

type Export = Schemas['Export'];

/** How often a file that is being made is looked at. */
const EVERY_MS = 1_000;

/** Files of records that were asked for: how far they are, what they were for, and the file. */
export class ExportsPage extends PagePart {
  #exports = new ApiReading(this, async () => await get('/exports'));
  #timer: ReturnType<typeof setInterval> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#timer = setInterval(() => {
      if (this.#exports.value?.some(({ status }) => status === 'MAKING')) this.#again();
    }, EVERY_MS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  #again(): void {
    void this.#exports.again();
  }

  override render(): unknown {
    const again = () => this.#again();
    return html`<header class="page-head">
        <div>
          <h1>Exports</h1>
          <p class="dim">
            Copies of records as files, each with what it is for. They are removed after seven days.
          </p>
        </div>
        <div class="acts">
          <button type="button" class="primary" @click=${() => openAct(exportRecords(again))}>
            Export records
          </button>
          <button type="button" @click=${() => openAct(exportDossier(again))}>Dossier of a customer</button>
        </div>
      </header>
      ${this.#exports.show('the exports', (exports) => section('Files', exportTable(exports)))}`;
  }
}

function exportTable(exports: readonly Export[]): unknown {
  if (exports.length === 0) {
    return html`<div class="empty">
      <h2>No exports</h2>
      <p>Nobody has taken a copy in the last seven days.</p>
    </div>`;
  }
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">What</th>
        <th scope="col">For</th>
        <th scope="col" class="number">Rows</th>
        <th scope="col" class="number">Size</th>
        <th scope="col">Asked for</th>
        <th scope="col">SHA-256</th>
        <th scope="col"><span class="unseen">Download</span></th>
      </tr>
    </thead>
    <tbody>
      ${exports.map(exportRow)}
    </tbody>
  </table>`;
}

function exportRow({ id, status, resource, format, purpose, rows, sizeBytes, sha256, createdAt }: Export) {
  return html`<tr>
    <td>${badge(status, toneOf(status))}</td>
    <td>${words(resource)}, ${format}</td>
    <td>${purpose}</td>
    <td class="number">${count(rows)}</td>
    <td class="number">${sizeBytes === null ? DASH : bytes(sizeBytes)}</td>
    <td>${timeCell(createdAt)}</td>
    <td>${sha256 === null ? DASH : html`<code title=${sha256}>${sha256.slice(0, 12)}…</code>`}</td>
    <td>
      ${
        status === 'READY'
          ? html`<button
              type="button"
              class="small"
              aria-label=${`Download ${words(resource).toLowerCase()} for ${purpose}`}
              @click=${() =>
                void downloadBy(async () => await get('/exports/{id}/download-url', { path: { id } }))}
            >
              Download
            </button>`
          : nothing
      }
    </td>
  </tr>`;
}
