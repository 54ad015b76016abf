import { html, nothing } from 'lit';
import { notify } from './notice.ts';
import { age, dateTime, timeLeft, urgency } from './times.ts';
import { words, type Tone } from './words.ts';

export const DASH = html`<span class="dim" aria-label="none">–</span>`;

/** The first part of an id, enough to tell records apart; the whole one as a tooltip. */
export function shortId(id: string): unknown {
  return html`<code title=${id}>${id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id}</code>`;
}

/** A long value with a button that copies it. */
export function copied(value: string | null | undefined, label = 'value'): unknown {
  if (value === null || value === undefined || value === '') return DASH;
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    notify(`The ${label} is copied.`);
  };
  return html`<span class="copied"
    ><code>${value}</code
    ><button type="button" class="small quiet" aria-label=${`Copy the ${label}`} @click=${() => void copy()}>
      Copy
    </button></span
  >`;
}

export function text(value: string | number | null | undefined): unknown {
  return value === null || value === undefined || value === '' ? DASH : value;
}

/** A code of the API as words on a coloured ground; the code itself as a tooltip. */
export function badge(code: string | null | undefined, tone: Tone = 'plain'): unknown {
  if (code === null || code === undefined) return DASH;
  return html`<span class=${`badge ${tone}`} title=${code}>${words(code)}</span>`;
}

export function ageCell(time: string): unknown {
  return html`<time datetime=${time} title=${dateTime(time)}>${age(time)}</time>`;
}

export function timeCell(time: string | null): unknown {
  return time === null ? DASH : html`<time datetime=${time} title=${time}>${dateTime(time)}</time>`;
}

export function deadline(time: string | null): unknown {
  if (time === null) return DASH;
  return html`<time class=${`deadline ${urgency(time)}`} datetime=${time} title=${dateTime(time)}
    >${timeLeft(time)}</time
  >`;
}

/** Pairs of a name and a value. Those without a value are left out if `isSparse`. */
export function facts(pairs: readonly (readonly [string, unknown])[], isSparse = false): unknown {
  const shown = isSparse
    ? pairs.filter(([, value]) => value !== DASH && value !== null && value !== '')
    : pairs;
  if (shown.length === 0) return nothing;
  return html`<dl class="facts">
    ${shown.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A section of a page with its heading. */
export function section(title: string, content: unknown, actions: unknown = nothing): unknown {
  const id = `section-${title.toLowerCase().replaceAll(/\W+/g, '-')}`;
  return html`<section class="card" aria-labelledby=${id}>
    <header>
      <h2 id=${id}>${title}</h2>
      ${actions}
    </header>
    ${content}
  </section>`;
}

const EUR = new Intl.NumberFormat(undefined, { style: 'currency', currency: 'EUR' });
const COUNT = new Intl.NumberFormat();

export function eur(amount: number | null): string {
  return amount === null ? '' : EUR.format(amount);
}

export function count(value: number): string {
  return COUNT.format(value);
}

export function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576 ? `${Math.round(size / 1_024)} kB` : `${(size / 1_048_576).toFixed(1)} MB`;
}
