import { html, nothing } from 'lit';
import type { HostedVerification } from '../hosted-verification.ts';
import type { HostedPage } from '../page.ts';
import { addressWithToken } from '../page-token.ts';
import { qrCode } from '../qr-code.ts';
import { appLinks, isHandheld } from '../wallets/app-links.ts';
import type { SigningWallet } from '../wallets/signing-wallet.ts';
import { actionButton, backButton, copyButton, screenHeading, troubleAt, type PageContent } from './parts.ts';

/** A text with less time than this is replaced before a wallet is asked. */
const MIN_LEFT_MS = 60_000;
const LOADING = 'load-text';
const PASTING = 'paste';

/** The way of proof by a signature: wallets of this browser, apps, another device, or a signature from elsewhere. */
export function signView(page: HostedPage): PageContent {
  const { say, verification, message, busy, trouble, wallets } = page.state;
  if (!verification) return nothing;
  if (message === null && busy === null && trouble === null) queueMicrotask(() => loadText(page));
  return html`<section>
    ${backButton(page, say('useOther'))} ${screenHeading(say('signTitle'))}
    <p>${say('signFree')}</p>
    ${trouble?.at === LOADING ? reloadView(page) : nothing} ${walletsView(page)}
    ${appsView(page, verification)} ${textView(page)}
    ${wallets.length > 0 || isHandheld() ? nothing : deviceView(page)} ${pasteView(page)}
  </section>`;
}

function loadText(page: HostedPage): void {
  page.run(LOADING, async () => page.set({ message: await page.calls.makeMessage() }));
}

function reloadView(page: HostedPage): PageContent {
  return html`${troubleAt(page, LOADING)}
    <button type="button" @click=${() => loadText(page)}>${page.state.say('retry')}</button>`;
}

function walletsView(page: HostedPage): PageContent {
  const { say, wallets, verification } = page.state;
  const hasBrowserWallets = ['EVM', 'BITCOIN', 'SOLANA', 'TRON'].includes(verification?.addressFormat ?? '');
  if (wallets.length === 0)
    return hasBrowserWallets && !isHandheld() ? html`<p class="note">${say('noWallet')}</p>` : nothing;
  return html`<div class="stack">
    ${wallets.map((wallet, index) =>
      actionButton(page, {
        control: `wallet-${index}`,
        label: say('signWith', { wallet: wallet.name || say('browserWallet') }),
        busyLabel: say('signing'),
        icon: wallet.icon,
        isMain: index === 0,
        action: async () => await signWith(page, wallet),
      }),
    )}
  </div>`;
}

async function signWith(page: HostedPage, wallet: SigningWallet): Promise<void> {
  const { verification } = page.state;
  if (!verification) return;
  const message = await freshText(page);
  const signature = await wallet.sign(message, verification.address);
  await submit(page, message, signature);
}

/** The text, a new one when the old one is about to expire. */
async function freshText(page: HostedPage): Promise<string> {
  const { message } = page.state;
  if (message && Date.parse(message.expiresAt) - Date.now() > MIN_LEFT_MS) return message.message;
  const made = await page.calls.makeMessage();
  page.set({ message: made });
  return made.message;
}

async function submit(page: HostedPage, message: string, signature: string): Promise<void> {
  page.show(await page.calls.prove({ verificationFlow: 'SIGNATURE_PROOF', message, signature }));
}

function appsView(
  { state: { say, wallets }, token }: HostedPage,
  { addressFormat }: HostedVerification,
): PageContent {
  const links = appLinks(addressFormat, addressWithToken(token));
  if (!isHandheld() || wallets.length > 0 || links.length === 0) return nothing;
  return html`<h3>${say('openApp')}</h3>
    <p class="note">${say('openAppHint')}</p>
    <p class="stack">
      ${links.map(({ name, href }) => html`<a class="button" href=${href}>${say('openIn', { wallet: name })}</a>`)}
    </p>`;
}

function textView({ state: { say, message } }: HostedPage): PageContent {
  if (!message) return nothing;
  return html`<details>
    <summary>${say('signText')}</summary>
    <pre dir="ltr">${message.message}</pre>
  </details>`;
}

function deviceView({ state: { say }, token }: HostedPage): PageContent {
  return html`<details>
    <summary>${say('otherDevice')}</summary>
    <p>${say('otherDeviceHint')}</p>
    ${qrCode(addressWithToken(token), say('otherDeviceCode'))}
  </details>`;
}

function pasteView(page: HostedPage): PageContent {
  const { say, message, wallets, verification } = page.state;
  if (!message) return nothing;
  const isOnlyWay =
    wallets.length === 0 && appLinks(verification?.addressFormat ?? null, location.href).length === 0;
  const send = async () => {
    const field = document.querySelector<HTMLTextAreaElement>('#signature');
    const signature = field?.value.trim() ?? '';
    if (signature === '') {
      field?.focus();
      page.set({ trouble: { at: PASTING, text: say('signatureMissing') } });
      return;
    }
    await submit(page, message.message, signature);
  };
  return html`<details ?open=${isOnlyWay}>
    <summary>${say('paste')}</summary>
    <p>${say('pasteHint')}</p>
    <label for="text">${say('textLabel')}</label>
    <textarea id="text" rows="6" readonly dir="ltr" .value=${message.message}></textarea>
    ${copyButton(page, 'copy-text', message.message, say('copyText'))}
    <label for="signature">${say('signature')}</label>
    <textarea
      id="signature"
      rows="3"
      dir="ltr"
      spellcheck="false"
      autocapitalize="off"
      autocomplete="off"
      maxlength="8192"
    ></textarea>
    ${actionButton(page, { control: PASTING, label: say('sendSignature'), action: send })}
  </details>`;
}
