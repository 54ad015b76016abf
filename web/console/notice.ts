import { html, nothing } from 'lit';
import { PagePart } from './part.ts';

const SHOWN_MS = 6_000;

/** Says what was just done; screen readers hear it. */
export class NoticeBar extends PagePart {
  #text = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.#text = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#clear(), SHOWN_MS);
    this.requestUpdate();
  }

  #clear(): void {
    this.#text = '';
    this.requestUpdate();
  }

  override render(): unknown {
    return html`<div class="notice-place" role="status">
      ${this.#text === '' ? nothing : html`<p class="notice">${this.#text}</p>`}
    </div>`;
  }
}

export function notify(text: string): void {
  document.querySelector<NoticeBar>('wb-notice-bar')?.say(text);
}
