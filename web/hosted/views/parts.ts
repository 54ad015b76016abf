import { html, nothing, type TemplateResult } from 'lit';
import type { HostedPage } from '../page.ts';
import { groupsOf } from '../format.ts';

export type PageContent = TemplateResult | typeof nothing;

interface ActionButton {
  /** Names the control: its fault is shown below it. */
  control: string;
  label: string;
  /** What stands on it while its action runs. */
  busyLabel?: string;
  isMain?: boolean;
  icon?: string | null;
  action: () => Promise<void>;
}

/** A button with an action that takes time, and the fault of that action below it. */
export function actionButton(
  page: HostedPage,
  { control, label, isMain, icon, action, ...more }: ActionButton,
): PageContent {
  const { busy } = page.state;
  const text = busy === control ? (more.busyLabel ?? label) : label;
  return html`<button
      type="button"
      class=${isMain ? 'main-action' : ''}
      aria-disabled=${busy !== null}
      @click=${() => page.run(control, action)}
    >
      ${icon ? html`<img src=${icon} alt="" width="24" height="24" />` : nothing}<span>${text}</span>
    </button>
    ${troubleAt(page, control)}`;
}

export function troubleAt({ state: { trouble } }: HostedPage, control: string): PageContent {
  return trouble?.at === control ? html`<p class="trouble" role="alert">${trouble.text}</p>` : nothing;
}

/** A button that copies a text and says so. */
export function copyButton(page: HostedPage, control: string, text: string, label?: string): PageContent {
  const { say, copied } = page.state;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    page.set({ copied: control });
  };
  const shown = copied === control ? say('copied') : (label ?? say('copy'));
  return html`<button type="button" class="small" @click=${() => page.run(control, copy)}>${shown}</button
    >${troubleAt(page, control)}`;
}

/** An address that is read and compared by people. Copied, it has no spaces. */
export function addressView(address: string): PageContent {
  // The groups are set apart by the style sheet, so that a selection copies the address as it is.
  return html`<code class="address">${groupsOf(address).map((group) => html`<span>${group}</span>`)}</code>`;
}

export function backButton(page: HostedPage, label: string): PageContent {
  return html`<button type="button" class="link" @click=${() => page.open('HOME')}>
    <span aria-hidden="true" class="arrow"></span>${label}
  </button>`;
}

/** The heading of a screen, which gets the focus when the screen opens. */
export function screenHeading(text: string): PageContent {
  return html`<h2 tabindex="-1">${text}</h2>`;
}
