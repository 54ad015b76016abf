import { html, nothing } from 'lit';
import { LANGUAGES, type Language } from '../language.ts';
import { durationLeft, momentIn } from '../format.ts';
import type { HostedPage } from '../page.ts';
import { declareView } from './declare-view.ts';
import { endView, pageEndView } from './end-view.ts';
import { filesView } from './files-view.ts';
import { homeView } from './home-view.ts';
import { addressView, type PageContent } from './parts.ts';
import { sendView } from './send-view.ts';
import { signView } from './sign-view.ts';

/** The whole page. */
export function pageView(page: HostedPage, speak: (language: Language) => void): PageContent {
  const { say, isOffline, copied } = page.state;
  return html`<header>${brandView(page)}${languageView(page, speak)}</header>
    <main>
      <h1>${say('title')}</h1>
      ${isOffline ? html`<p class="banner" role="status">${say('offline')}</p>` : nothing}
      ${contentView(page)}
    </main>
    <p class="unseen" role="status">${copied === null ? '' : say('copied')}</p>`;
}

function brandView({ state: { verification, logo } }: HostedPage): PageContent {
  const name = verification ? (verification.branding.displayName ?? verification.tenantName) : '';
  return html`<p class="brand">${logo === null ? name : html`<img src=${logo} alt=${name} />`}</p>`;
}

function languageView(
  { state: { say, language } }: HostedPage,
  speak: (language: Language) => void,
): PageContent {
  const change = (event: Event) => speak((event.target as HTMLSelectElement).value as Language);
  return html`<select aria-label=${say('language')} @change=${change}>
    ${Object.entries(LANGUAGES).map(
      ([code, { name }]) =>
        html`<option value=${code} lang=${code} ?selected=${code === language}>${name}</option>`,
    )}
  </select>`;
}

function contentView(page: HostedPage): PageContent {
  const { verification, end, say, isOffline } = page.state;
  if (end !== null) return pageEndView(page);
  if (!verification) return isOffline ? nothing : html`<p role="status">${say('loading')}</p>`;
  return html`${factsView(page)} ${endView(page)} ${screenView(page)}`;
}

function screenView(page: HostedPage): PageContent {
  const { screen } = page.state;
  switch (screen) {
    case 'HOME':
      return homeView(page);
    case 'SIGNATURE_PROOF':
      return signView(page);
    case 'SATOSHI_TEST':
      return sendView(page);
    case 'SELF_DECLARED':
      return declareView(page);
    case 'VISUAL_PROOF':
    case 'SELFIE':
    case 'SOURCE_OF_FUNDS_WEALTH':
      return filesView(page, screen);
  }
}

function factsView({ state: { say, language, verification, now } }: HostedPage): PageContent {
  if (!verification) return nothing;
  const { status, tenantName, address, blockchain, asset, expiresAt } = verification;
  const end = new Date(expiresAt);
  const left = end.getTime() - now.getTime();
  const isWaiting = status === 'PENDING' && left > 0;
  const values = { time: durationLeft(left, language), moment: momentIn(language, end) };
  return html`${isWaiting ? html`<p>${say('intro', { tenant: tenantName })}</p>` : nothing}
    <dl class="facts">
      <div>
        <dt>${say('wallet')}</dt>
        <dd>${addressView(address)}</dd>
      </div>
      <div>
        <dt>${say('network')}</dt>
        <dd>${blockchain}</dd>
      </div>
      <div>
        <dt>${say('asset')}</dt>
        <dd>${asset}</dd>
      </div>
      ${
        isWaiting
          ? html`<div>
              <dt>${say('timeLeftLabel')}</dt>
              <dd>${say('timeLeft', values)}</dd>
            </div>`
          : nothing
      }
    </dl>`;
}
