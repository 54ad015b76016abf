import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { toRefusal, type Refusal } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { upload } from '../upload.ts';
import { count } from '../values.ts';

type Imported = Schemas['WalletImportResult'];
type Fault = Schemas['Problem']['errors'][number];

const SHOWN_FAULTS = 20;

/** Uploads a CSV file of wallets, says how far it is, and lists the faults by row. */
export class CsvUpload extends PagePart {
  #share: number | null = null;
  #result: Imported | undefined;
  #refusal: Refusal | undefined;

  override render(): unknown {
    return html`<details class="card">
      <summary>Upload a CSV file</summary>
      <p class="dim">
        With a header; columns <code>address</code>, <code>asset</code>, <code>blockchain</code>, and if you
        like <code>tag</code>, <code>metadata</code>, <code>holderName</code>. Up to 50,000 rows. The same
        file again changes nothing.
      </p>
      <label class="field"
        >File
        <input
          type="file"
          accept=".csv,text/csv"
          ?disabled=${this.#share !== null}
          @change=${(event: Event) => this.#choose(event)}
      /></label>
      ${this.#progress()} ${this.#result ? resultNote(this.#result) : nothing}
      ${this.#refusal ? faultList(this.#refusal) : nothing}
    </details>`;
  }

  #progress(): unknown {
    if (this.#share === null) return nothing;
    const isSent = this.#share >= 1;
    return html`<p role="status">
        ${isSent ? 'Checking and importing …' : `Uploading, ${Math.floor(this.#share * 100)} %`}
      </p>
      <progress aria-label="Upload" max="1" .value=${this.#share}></progress>`;
  }

  #choose(event: Event): void {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    if (file) void this.#import(file);
  }

  async #import(file: File): Promise<void> {
    this.#show({ share: 0 });
    const form = new FormData();
    form.append('file', file);
    try {
      const result = (await upload('/wallets/upload-csv', form, (share) =>
        this.#show({ share }),
      )) as Imported;
      this.#show({ result });
      this.dispatchEvent(new Event('imported'));
    } catch (error) {
      this.#show({ refusal: toRefusal(error) });
    }
    const input = this.querySelector<HTMLInputElement>('input[type=file]');
    // So that the mended file of the same name can be chosen again.
    if (input) input.value = '';
  }

  #show({
    share = null,
    result,
    refusal,
  }: {
    share?: number | null;
    result?: Imported;
    refusal?: Refusal;
  }): void {
    this.#share = share;
    this.#result = result;
    this.#refusal = refusal;
    this.requestUpdate();
  }
}

function resultNote({ created, confirmed, skipped, total, sanctionedAddresses }: Imported): unknown {
  return html`<p class="note good" role="status">
      ${total === 1 ? '1 row' : `${count(total)} rows`}: ${count(created)} new, ${count(confirmed)} confirmed,
      ${count(skipped)} known already.
    </p>
    ${
      sanctionedAddresses.length === 0
        ? nothing
        : html`<p class="note bad">
            On a sanctions list: ${sanctionedAddresses.map((address) => html`<code>${address}</code> `)}
          </p>`
    }`;
}

function faultList(refusal: Refusal): unknown {
  const faults = refusal.problem?.errors ?? [];
  return html`<div class="refusal" role="alert">
    <p>${refusal.message} Nothing was imported.</p>
    ${
      faults.length === 0
        ? nothing
        : html`<table>
              <thead>
                <tr>
                  <th scope="col">Row</th>
                  <th scope="col">Column</th>
                  <th scope="col">Fault</th>
                </tr>
              </thead>
              <tbody>
                ${faults.slice(0, SHOWN_FAULTS).map((fault) => faultRow(fault))}
              </tbody>
            </table>
            ${faults.length > SHOWN_FAULTS ? html`<p>and ${count(faults.length - SHOWN_FAULTS)} more</p>` : nothing}`
    }
  </div>`;
}

function faultRow({ row, field, message }: Fault): unknown {
  return html`<tr>
    <td>${row ?? ''}</td>
    <td>${field ?? ''}</td>
    <td>${message}</td>
  </tr>`;
}
