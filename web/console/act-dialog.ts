import { html, nothing } from 'lit';
import { draftOf, forgetDraft, keepDraft } from './drafts.ts';
import { toRefusal, type Refusal } from './exchange.ts';
import { changeFeed } from './change-feed.ts';
import { PagePart } from './part.ts';
import { refusalNote } from './reading.ts';
import { notify } from './notice.ts';

export interface ActField {
  name: string;
  label: string;
  kind: 'text' | 'long' | 'choice' | 'date' | 'email' | 'number' | 'check' | 'password';
  isRequired?: boolean;
  value?: string;
  hint?: string;
  /** Of a choice. */
  options?: readonly { value: string; label: string }[];
  maxLength?: number;
}

export type ActValues = Readonly<Record<string, string>>;

/** Something that a person does after saying why or with what. */
export interface DialogAct {
  /** What was typed is kept under it until the act is done. */
  key: string;
  title: string;
  explanation?: unknown;
  fields: readonly ActField[];
  label: string;
  isDanger?: boolean;
  /** Carries it out; returns what to tell the person. Throws Refusal. */
  run: (values: ActValues) => Promise<string>;
  /** Called when the record turned out to be another than was shown. */
  onConflict?: () => void;
}

/** The one dialog of the page. */
export class ActDialog extends PagePart {
  #act: DialogAct | undefined;
  /** Opened once the present dialog has closed: that happens some time after it was told to. */
  #next: DialogAct | undefined;
  #values: Record<string, string> = {};
  #refusal: Refusal | undefined;
  #isRunning = false;
  /** The element that had the focus before. */
  #before: Element | null = null;

  open(act: DialogAct): void {
    if (this.#act) {
      this.#next = act;
      return;
    }
    const given = Object.fromEntries(act.fields.map(({ name, value }) => [name, value ?? '']));
    this.#before = document.activeElement;
    this.#act = act;
    this.#values = { ...given, ...draftOf(act.key) };
    this.#refusal = undefined;
    this.#isRunning = false;
    this.requestUpdate();
    void this.updateComplete.then(() => this.#dialog()?.showModal());
  }

  #dialog(): HTMLDialogElement | null {
    return this.querySelector('dialog');
  }

  override render(): unknown {
    const act = this.#act;
    if (!act) return nothing;
    return html`<dialog aria-labelledby="act-title" @close=${() => this.#closed()}>
      <form
        method="dialog"
        @submit=${(event: Event) => this.#submit(event, act)}
        @keydown=${(event: KeyboardEvent) => this.#press(event)}
      >
        <h2 id="act-title">${act.title}</h2>
        ${act.explanation === undefined ? nothing : html`<div class="explanation">${act.explanation}</div>`}
        ${act.fields.map((field, at) => this.#field(field, at === 0))}
        ${this.#refusal ? this.#trouble(this.#refusal) : nothing}
        <footer>
          <span class="dim grow">Ctrl + Enter to send</span>
          <button type="button" @click=${() => this.#dialog()?.close()}>Cancel</button>
          <button
            type="submit"
            class=${act.isDanger ? 'danger' : 'primary'}
            ?autofocus=${act.fields.length === 0}
            ?disabled=${this.#isRunning}
          >
            ${this.#isRunning ? 'Sending …' : act.label}
          </button>
        </footer>
      </form>
    </dialog>`;
  }

  #trouble(refusal: Refusal): unknown {
    if (!refusal.isConflict) return refusalNote(refusal);
    return html`<div class="refusal" role="alert">
      <p><strong>This has changed since you opened it.</strong> ${refusal.message}</p>
      <p>
        Probably somebody else was faster. What you typed is kept; the page behind shows how things are now.
      </p>
    </div>`;
  }

  #field(field: ActField, isFirst: boolean): unknown {
    const { name, label, kind, hint, isRequired = false } = field;
    const id = `act-${name}`;
    const hintId = hint === undefined ? nothing : `${id}-hint`;
    const value = this.#values[name] ?? '';
    const note = (event: Event) => this.#note(name, event.target as HTMLInputElement);
    const common = { id, hintId, value, note, isRequired, isFirst };
    if (kind === 'check') {
      return html`<label class="field check"
        ><input
          type="checkbox"
          id=${id}
          .checked=${value === 'true'}
          ?required=${isRequired}
          ?autofocus=${isFirst}
          @change=${note}
        /><span>${label}</span></label
      >`;
    }
    return html`<div class="field">
      <label for=${id}>${label}${isRequired ? nothing : html` <span class="dim">optional</span>`}</label>
      ${control(field, common)}
      ${hint === undefined ? nothing : html`<p class="dim" id=${`${id}-hint`}>${hint}</p>`}
    </div>`;
  }

  #note(name: string, input: HTMLInputElement): void {
    this.#values[name] = input.type === 'checkbox' ? String(input.checked) : input.value;
    const { key, fields } = this.#act ?? { key: '', fields: [] };
    const kept = fields.filter(({ kind }) => kind !== 'password').map((field) => field.name);
    keepDraft(key, Object.fromEntries(kept.map((one) => [one, this.#values[one] ?? ''])));
  }

  #press(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.querySelector('form')?.requestSubmit();
  }

  #submit(event: Event, act: DialogAct): void {
    event.preventDefault();
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#refusal = undefined;
    this.requestUpdate();
    void this.#run(act);
  }

  async #run(act: DialogAct): Promise<void> {
    try {
      const told = await act.run(this.#values);
      forgetDraft(act.key);
      if (this.#act === act) this.#dialog()?.close();
      notify(told);
      changeFeed.askNow();
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.isConflict) act.onConflict?.();
      if (this.#act === act) this.#refusal = refusal;
      else notify(`${act.title}: ${refusal.message}`);
    }
    // Of another act, where the dialog was closed meanwhile.
    if (this.#act === act) this.#isRunning = false;
    this.requestUpdate();
  }

  #closed(): void {
    const next = this.#next;
    this.#act = undefined;
    this.#next = undefined;
    this.requestUpdate();
    if (this.#before instanceof HTMLElement) this.#before.focus();
    if (next) void this.updateComplete.then(() => this.open(next));
  }
}

interface ControlState {
  id: string;
  hintId: unknown;
  value: string;
  note: (event: Event) => void;
  isRequired: boolean;
  isFirst: boolean;
}

const INPUT_TYPES = { text: 'text', date: 'date', email: 'email', number: 'number', password: 'password' };

function control(
  { kind, options = [], maxLength = 2_000 }: ActField,
  { id, hintId, value, note, isRequired, isFirst }: ControlState,
): unknown {
  switch (kind) {
    case 'long':
      return html`<textarea
        id=${id}
        rows="4"
        maxlength=${maxLength}
        aria-describedby=${hintId}
        ?required=${isRequired}
        ?autofocus=${isFirst}
        .value=${value}
        @input=${note}
      ></textarea>`;
    case 'choice':
      return html`<select
        id=${id}
        aria-describedby=${hintId}
        ?required=${isRequired}
        ?autofocus=${isFirst}
        @change=${note}
      >
        ${options.map(
          (option) =>
            html`<option value=${option.value} ?selected=${option.value === value}>${option.label}</option>`,
        )}
      </select>`;
    case 'check':
      return nothing;
    case 'text':
    case 'date':
    case 'email':
    case 'number':
    case 'password':
      return html`<input
        id=${id}
        type=${INPUT_TYPES[kind]}
        step=${kind === 'number' ? 'any' : nothing}
        maxlength=${kind === 'text' ? maxLength : nothing}
        autocomplete=${kind === 'password' ? 'current-password' : 'off'}
        aria-describedby=${hintId}
        ?required=${isRequired}
        ?autofocus=${isFirst}
        .value=${value}
        @input=${note}
      />`;
  }
}

/** Asks the person and carries the act out. */
export function openAct(act: DialogAct): void {
  document.querySelector<ActDialog>('wb-act-dialog')?.open(act);
}
