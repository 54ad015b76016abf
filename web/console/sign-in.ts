import { html, nothing } from 'lit';
import { exchangeOnce, problemOf, Refusal, toRefusal } from './exchange.ts';
import { PagePart } from './part.ts';
import { refusalNote } from './reading.ts';
import { session } from './session.ts';

/** Signs in, at the start or when the session has ended behind an open page. */
export class SignInForm extends PagePart {
  #refusal: Refusal | undefined;
  #needsCode = false;
  #isRunning = false;
  #told = '';

  override render(): unknown {
    const email = session.user?.email ?? '';
    return html`<form class="sign-in" @submit=${(event: SubmitEvent) => this.#submit(event)}>
      <div class="field">
        <label for="email">E-mail</label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="username"
          required
          .value=${email}
          ?autofocus=${email === ''}
        />
      </div>
      <div class="field">
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          ?autofocus=${email !== ''}
        />
      </div>
      ${this.#needsCode ? codeField() : nothing} ${this.#refusal ? refusalNote(this.#refusal) : nothing}
      ${this.#told === '' ? nothing : html`<p role="status">${this.#told}</p>`}
      <button type="submit" class="primary wide" ?disabled=${this.#isRunning}>
        ${this.#isRunning ? 'Signing in …' : 'Sign in'}
      </button>
      <button type="button" class="quiet wide" @click=${() => void this.#reset()}>
        Forgot the password?
      </button>
    </form>`;
  }

  #submit(event: SubmitEvent): void {
    event.preventDefault();
    if (this.#isRunning || !(event.target instanceof HTMLFormElement)) return;
    const given = new FormData(event.target);
    const code = textOf(given, 'code').replaceAll(/\s/g, '');
    // A password may begin and end with blanks.
    const credentials = { email: textOf(given, 'email').trim(), password: textOf(given, 'password') };
    void this.#signIn(code === '' ? credentials : { ...credentials, code });
  }

  async #signIn(credentials: { email: string; password: string; code?: string }): Promise<void> {
    this.#isRunning = true;
    this.#refusal = undefined;
    this.#told = '';
    this.requestUpdate();
    try {
      await session.signIn(credentials);
    } catch (error) {
      const refusal = toRefusal(error);
      const asksCode = refusal.code === 'code_required';
      // The first time it is a question, not a refusal.
      this.#refusal = asksCode && !this.#needsCode ? undefined : refusal;
      this.#needsCode ||= asksCode;
    }
    this.#isRunning = false;
    this.requestUpdate();
    await this.updateComplete;
    if (this.#needsCode) this.querySelector<HTMLInputElement>('#code')?.focus();
  }

  async #reset(): Promise<void> {
    const email = this.querySelector<HTMLInputElement>('#email')?.value.trim() ?? '';
    this.#refusal = undefined;
    if (email === '') this.#told = 'Give your e-mail address first.';
    else {
      try {
        const answer = await exchangeOnce('POST', '/auth/password-reset', { email });
        if (!answer.ok) throw new Refusal(await problemOf(answer));
        this.#told = 'If there is such a user, a link to set a new password is on its way.';
      } catch (error) {
        this.#refusal = toRefusal(error);
      }
    }
    this.requestUpdate();
  }
}

function codeField(): unknown {
  return html`<div class="field">
    <label for="code">Code of your second factor</label>
    <input
      id="code"
      name="code"
      inputmode="numeric"
      autocomplete="one-time-code"
      required
      aria-describedby="code-hint"
    />
    <p class="dim" id="code-hint">From your authenticator app, or one of your recovery codes.</p>
  </div>`;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
