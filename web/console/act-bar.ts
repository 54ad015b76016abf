import { html, nothing, type PropertyValues } from 'lit';
import { addShortcuts } from './keyboard.ts';
import { PagePart } from './part.ts';

/** What a person can do with a record, by a button and by a key. */
export interface OfferedAct {
  label: string;
  key: string;
  tone?: 'primary' | 'danger';
  start: () => void;
}

/** The acts that a record offers. */
export class ActBar extends PagePart {
  #acts: readonly OfferedAct[] = [];
  #remove: (() => void) | undefined;

  set acts(acts: readonly OfferedAct[]) {
    this.#acts = acts;
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#remove?.();
  }

  protected override updated(_changed: PropertyValues): void {
    this.#remove?.();
    this.#remove = this.isConnected
      ? addShortcuts(this.#acts.map(({ key, start }) => ({ key, run: start })))
      : undefined;
  }

  override render(): unknown {
    if (this.#acts.length === 0) return nothing;
    return html`<div class="acts">
      ${this.#acts.map(
        ({ label, key, tone, start }) =>
          html`<button type="button" class=${tone ?? ''} aria-keyshortcuts=${key} @click=${start}>
            ${label}<kbd aria-hidden="true">${key}</kbd>
          </button>`,
      )}
    </div>`;
  }
}
