import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { apiUrl, get, toRefusal, type Refusal } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { refusalNote } from '../reading.ts';
import { session } from '../session.ts';
import { badge, bytes, timeCell } from '../values.ts';
import { words } from '../words.ts';

type ProofFile = Pick<Schemas['VerificationFile'], 'id' | 'bytes' | 'createdAt' | 'sha256' | 'type'> &
  Partial<Schemas['VerificationFile']>;

/** Kinds of files that a browser shows as a picture, in which nothing can run. */
const PICTURES = ['image/png', 'image/jpeg', 'image/webp'];

/**
 * The files of a proof. Each look is written into the log of the verification, so a file is shown only when it is asked for.
 * Pictures are shown as pictures; of everything else there is a download, which the service marks as one.
 */
export class ProofFiles extends PagePart {
  files: readonly ProofFile[] = [];
  /** Asks for a link to a file. */
  linkOf: (id: string) => Promise<Schemas['FileLink']> = async () =>
    await Promise.reject(new Error('no link'));
  #shown = new Map<string, string>();
  #refusal: Refusal | undefined;

  override render(): unknown {
    if (this.files.length === 0) return html`<p class="dim">No files.</p>`;
    return html`${this.#refusal ? refusalNote(this.#refusal) : nothing}
      <ul class="files">
        ${this.files.map((file) => this.#file(file))}
      </ul>`;
  }

  #file(file: ProofFile): unknown {
    const { id, name, type, seenBefore, createdAt, sha256, kind } = file;
    const picture = this.#shown.get(id);
    return html`<li>
      <p>
        <strong>${name ?? id}</strong>
        <span class="dim"
          >${kind ? `${words(kind)}, ` : ''}${type}, ${bytes(file.bytes)}, ${timeCell(createdAt)}</span
        >
        ${seenBefore ? badge('SEEN_BEFORE', 'attention') : nothing}
      </p>
      <p class="dim hash" title=${sha256}>SHA-256 ${sha256.slice(0, 16)}…</p>
      ${
        session.may('EXPORT')
          ? html`<p class="acts">
              ${
                PICTURES.includes(type) && !picture
                  ? html`<button type="button" @click=${() => void this.#open(file, 'SHOW')}>Show</button>`
                  : nothing
              }
              <button type="button" @click=${() => void this.#open(file, 'SAVE')}>Download</button>
            </p>`
          : nothing
      }
      ${picture ? html`<img class="proof" src=${picture} alt=${`The picture ${name ?? id}`} />` : nothing}
    </li>`;
  }

  async #open({ id }: ProofFile, how: 'SHOW' | 'SAVE'): Promise<void> {
    try {
      const { url } = await this.linkOf(id);
      // The console may be reached by another name than the links are made for.
      const path = apiUrl(new URL(url, location.href).pathname.replace(/^.*(?=\/files\/)/, ''));
      if (how === 'SHOW') this.#shown.set(id, path);
      else location.assign(path);
      this.#refusal = undefined;
    } catch (error) {
      this.#refusal = toRefusal(error);
    }
    this.requestUpdate();
  }
}

export async function fileLink(id: string, fileId: string): Promise<Schemas['FileLink']> {
  return await get('/wallet-verification/{id}/files/{fileId}/url', { path: { id, fileId } });
}
