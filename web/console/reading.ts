import { html, nothing, type ReactiveController, type ReactiveControllerHost } from 'lit';
import { changeFeed, type FeedChange } from './change-feed.ts';
import { toRefusal, type Refusal } from './exchange.ts';

interface ReadingOptions {
  /** Which changes of others make it read again; none unless given. */
  follows?: (change: FeedChange) => boolean;
}

/** What a part reads from the API. The last answer stays until the next one is there. */
export class ApiReading<T> implements ReactiveController {
  value: T | undefined;
  refusal: Refusal | undefined;
  readonly #host: ReactiveControllerHost;
  readonly #read: () => Promise<T>;
  readonly #options: ReadingOptions;
  #unsubscribe: (() => void) | undefined;
  /** Rises with each request, so that a late answer does not replace a newer one. */
  #round = 0;

  constructor(host: ReactiveControllerHost, read: () => Promise<T>, options: ReadingOptions = {}) {
    this.#host = host;
    this.#read = read;
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    const { follows } = this.#options;
    if (follows) {
      this.#unsubscribe = changeFeed.subscribe((changes) => {
        if (changes.some(follows)) void this.again();
      });
    }
    void this.again();
  }

  hostDisconnected(): void {
    this.#unsubscribe?.();
    this.#round += 1;
  }

  async again(): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    try {
      const value = await this.#read();
      if (round !== this.#round) return;
      this.value = value;
      this.refusal = undefined;
    } catch (error) {
      if (round !== this.#round) return;
      this.refusal = toRefusal(error);
    }
    this.#host.requestUpdate();
  }

  /** The answer as `render` shows it; until it is there, words that say what is awaited. */
  show(what: string, render: (value: T) => unknown): unknown {
    const refused = this.refusal ? refusalNote(this.refusal, () => void this.again()) : nothing;
    if (this.value !== undefined) return html`${refused}${render(this.value)}`;
    return this.refusal ? refused : waitingFor(what);
  }

  /** Like `show`, for what a page is about: it has its heading also where that cannot be read. */
  showPage(what: string, render: (value: T) => unknown): unknown {
    const shown = this.show(what, render);
    if (this.value !== undefined || !this.refusal) return shown;
    return html`<h1>${what.slice(0, 1).toUpperCase()}${what.slice(1)} cannot be shown</h1>
      ${shown}`;
  }
}

/** Appears after a moment only, so that quick answers do not flicker. */
export function waitingFor(what: string): unknown {
  return html`<p class="waiting" role="status">Loading ${what} …</p>`;
}

export function refusalNote(refusal: Refusal, again?: () => void): unknown {
  const { problem } = refusal;
  return html`<div class="refusal" role="alert">
    <p>${refusal.message}</p>
    ${
      problem && problem.errors.length > 1
        ? html`<ul>
            ${problem.errors.map(({ pointer, message }) => html`<li><code>${pointer}</code> ${message}</li>`)}
          </ul>`
        : nothing
    }
    ${problem && problem.status >= 500 ? html`<p class="dim">Request ${problem.requestId}</p>` : nothing}
    ${again ? html`<button type="button" @click=${again}>Try again</button>` : nothing}
  </div>`;
}
