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
  #isPassed = false;
  #remove: (() => void) | undefined;

  set acts(acts: readonly OfferedAct[]) {
    this.#acts = acts;
    this.requestUpdate();
  }

  /** Whether the keyboard has gone on to another record, which is not shown yet: then no key acts on this one. */
  set isPassed(isPassed: boolean) {
    this.#isPassed = isPassed;
    this.requestUpdate();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#remove?.();
  }

  protected override updated(_changed: PropertyValues): void {
    this.#remove?.();
    const hasKeys = this.isConnected && !this.#isPassed;
    this.#remove = hasKeys
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
