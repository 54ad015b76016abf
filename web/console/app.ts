import { html, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { changeFeed } from './change-feed.ts';
import { toRefusal, type Refusal } from './exchange.ts';
import { keyboardHelp } from './keyboard-help.ts';
import { addShortcuts, listenForShortcuts } from './keyboard.ts';
import { notify } from './notice.ts';
import { PAGES, type PageDefinition } from './pages.ts';
import { PagePart } from './part.ts';
import { go, pathTo, placeOf, type ConsolePlace } from './place.ts';
import { refusalNote, waitingFor } from './reading.ts';
import { session } from './session.ts';
import { words } from './words.ts';

/** The whole console: sign-in, navigation, and the page of the address. */
export class ConsoleApp extends PagePart {
  #place: ConsolePlace = placeOf(location);
  #refusal: Refusal | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#moved());
    session.addEventListener('change', () => this.#sessionChanged());
    listenForShortcuts(
      Object.fromEntries(PAGES.flatMap(({ name, key }) => (key ? [[key, () => go(pathTo(name))]] : []))),
    );
    addShortcuts([
      { key: '/', run: () => this.querySelector<HTMLElement>('#search')?.focus() },
      { key: '?', run: () => this.querySelector<HTMLDialogElement>('#keys')?.showModal() },
      { key: 'u', run: () => this.#up() },
    ]);
    void this.#start();
  }

  async #start(): Promise<void> {
    try {
      this.#refusal = undefined;
      await session.start();
    } catch (error) {
      this.#refusal = toRefusal(error);
    }
    this.requestUpdate();
  }

  #sessionChanged(): void {
    if (session.state === 'SIGNED_IN') changeFeed.start();
    this.requestUpdate();
    void this.updateComplete.then(() => {
      const dialog = this.querySelector<HTMLDialogElement>('#sign-in-again');
      if (session.state === 'ENDED' && dialog && !dialog.open) dialog.showModal();
      else if (session.state !== 'ENDED') dialog?.close();
    });
  }

  #moved(): void {
    const before = this.#place;
    this.#place = placeOf(location);
    this.requestUpdate();
    if (before.page === this.#place.page && before.id === this.#place.id) return;
    // Nobody decides on a record that the page does not show any more; what was typed is kept.
    this.querySelector<HTMLDialogElement>('wb-act-dialog dialog[open]')?.close();
    // A screen reader, and the keyboard, begin at the new page.
    void this.updateComplete.then(() => this.#toMain());
    scrollTo(0, 0);
  }

  #toMain(): void {
    this.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
  }

  /** From a record to its list. */
  #up(): void {
    if (this.#place.id !== null) go(pathTo(this.#place.page));
  }

  override render(): unknown {
    if (this.#refusal)
      return html`<main class="alone">${refusalNote(this.#refusal, () => void this.#start())}</main>`;
    if (session.state === 'UNKNOWN') return html`<main class="alone">${waitingFor('the console')}</main>`;
    if (session.state === 'SIGNED_OUT') return signInPage();
    return this.#console();
  }

  #console(): unknown {
    const page = PAGES.find(({ name }) => name === this.#place.page);
    document.title = `${page?.title ?? 'Not found'} · Waybill`;
    return html`<button type="button" class="skip" @click=${() => this.#toMain()}>Skip to the page</button>
      ${navigation(this.#place)}
      <main id="main" tabindex="-1">${page ? content(page, this.#place) : notFound()}</main>
      <dialog id="sign-in-again" aria-labelledby="again-title" @close=${() => this.#sessionChanged()}>
        <h2 id="again-title">Your session has ended</h2>
        <p>Sign in again to go on. What you have typed is still here.</p>
        ${session.state === 'ENDED' ? html`<wb-sign-in></wb-sign-in>` : nothing}
      </dialog>
      ${keyboardHelp(PAGES)}
      <wb-act-dialog></wb-act-dialog>
      <wb-notice-bar></wb-notice-bar>`;
  }
}

function content(page: PageDefinition, { id, query }: ConsolePlace): unknown {
  if (id === null || !page.record) return page.list(query);
  return keyed(`${page.name}/${id}`, page.record(id));
}

function notFound(): unknown {
  return html`<h1>There is no such page</h1>
    <p><a href=${pathTo('work')}>To the work list</a></p>`;
}

function signInPage(): unknown {
  document.title = 'Sign in · Waybill';
  return html`<main class="alone">
    <div class="card">
      <p class="mark">Waybill</p>
      <h1>Sign in to the console</h1>
      <wb-sign-in></wb-sign-in>
    </div>
  </main>`;
}

async function signOut(): Promise<void> {
  try {
    await session.signOut();
  } catch (error) {
    notify(`${toRefusal(error).message} You are still signed in.`);
  }
}

const GROUPS = ['Work', 'Records', 'Insight', 'Set-up'] as const;

function navigation(place: ConsolePlace): unknown {
  return html`<nav class="side" aria-label="Pages">
    <p class="mark"><a href=${pathTo('work')}>Waybill</a></p>
    ${GROUPS.map((group) => {
      const pages = PAGES.filter(
        (page) => page.group === group && (!page.permission || session.may(page.permission)),
      );
      if (pages.length === 0) return nothing;
      return html`<p class="group">${group}</p>
        <ul>
          ${pages.map(
            ({ name, title }) =>
              html`<li>
                <a href=${pathTo(name)} aria-current=${name === place.page ? 'page' : nothing}>${title}</a>
              </li>`,
          )}
        </ul>`;
    })}
    <div class="who">
      <p>
        ${session.user?.name ?? session.user?.email}<br /><span class="dim"
          >${words(session.user?.role ?? '')}</span
        >
      </p>
      <button type="button" class="quiet small" @click=${() => void signOut()}>Sign out</button>
    </div>
  </nav>`;
}
