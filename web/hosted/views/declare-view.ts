import { html, nothing } from 'lit';
import type { HostedPage } from '../page.ts';
import { actionButton, backButton, screenHeading, type PageContent } from './parts.ts';

const DECLARING = 'declare';

/** The way of proof by a declaration. */
export function declareView(page: HostedPage): PageContent {
  const { say, verification } = page.state;
  if (!verification) return nothing;
  const { address, blockchain } = verification;
  const statement = say('declareText', { address, network: blockchain });
  return html`<section>
    ${backButton(page, say('useOther'))} ${screenHeading(say('declareTitle'))}
    <blockquote>${statement}</blockquote>
    <label for="name">${say('declareName')}</label>
    <input id="name" type="text" autocomplete="name" maxlength="200" />
    <label class="check"><input id="declared" type="checkbox" /> ${say('declareCheck')}</label>
    ${actionButton(page, {
      control: DECLARING,
      label: say('declareSend'),
      isMain: true,
      action: async () => await declare(page, statement),
    })}
  </section>`;
}

async function declare(page: HostedPage, statement: string): Promise<void> {
  const { say } = page.state;
  const field = document.querySelector<HTMLInputElement>('#name');
  const box = document.querySelector<HTMLInputElement>('#declared');
  const name = field?.value.trim() ?? '';
  if (name === '' || !box?.checked) {
    const isNameMissing = name === '';
    (isNameMissing ? field : box)?.focus();
    const text = say(isNameMissing ? 'declareNameMissing' : 'declareCheckMissing');
    page.set({ trouble: { at: DECLARING, text } });
    return;
  }
  const declaration = { name, statement };
  page.show(await page.calls.prove({ verificationFlow: 'SELF_DECLARED', declaration }));
}
