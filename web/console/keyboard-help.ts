import { html } from 'lit';
import type { PageDefinition } from './pages.ts';

/** The keys of every page; those of a record stand on its buttons. */
const KEYS: readonly (readonly [string, string])[] = [
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Choose the row for a common action'],
  ['u', 'Back to the list'],
  ['/', 'Search'],
  ['a', 'Proceed, confirm, approve: what helps the record on'],
  ['d', 'Block, decline, refuse'],
  ['Ctrl + Enter', 'Send what the dialog asks for'],
  ['Esc', 'Close the dialog; what was typed is kept'],
  ['?', 'These keys'],
];

export function keyboardHelp(pages: readonly PageDefinition[]): unknown {
  const close = (event: Event) => (event.target as HTMLElement).closest('dialog')?.close();
  return html`<dialog id="keys" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard</h2>
    <dl class="keys">
      ${KEYS.map(
        ([keys, what]) =>
          html`<div>
            <dt><kbd>${keys}</kbd></dt>
            <dd>${what}</dd>
          </div>`,
      )}
      ${pages.flatMap(({ key, title }) =>
        key
          ? [
              html`<div>
                <dt><kbd>g</kbd> <kbd>${key}</kbd></dt>
                <dd>${title}</dd>
              </div>`,
            ]
          : [],
      )}
    </dl>
    <footer><button type="button" autofocus @click=${close}>Close</button></footer>
  </dialog>`;
}
