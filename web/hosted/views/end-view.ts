import { html, nothing } from 'lit';
import type { HostedVerification } from '../hosted-verification.ts';
import type { WordKey } from '../language.ts';
import { wayBack } from '../leaving.ts';
import type { HostedPage, PageEnd } from '../page.ts';
import { isDone, isFinished, isOpen } from '../screens.ts';
import type { PageContent } from './parts.ts';

interface EndWords {
  title: WordKey;
  text: WordKey;
  look: 'good' | 'waiting' | 'bad';
}

const EXPIRED: EndWords = { title: 'expiredTitle', text: 'expiredText', look: 'bad' };
const PAGE_ENDS: Record<PageEnd, EndWords> = {
  UNKNOWN: { title: 'unknownTitle', text: 'unknownText', look: 'bad' },
  WITHDRAWN: { title: 'withdrawnTitle', text: 'withdrawnText', look: 'bad' },
  CLOSED: { title: 'closedTitle', text: 'closedText', look: 'waiting' },
};

/** What has become of the verification, once no proof is waited for. */
export function endView(page: HostedPage): PageContent {
  const { verification, now, screen } = page.state;
  if (!verification || screen !== 'HOME') return nothing;
  const words = endWords(verification, now);
  return words ? resultView(page, words) : nothing;
}

function endWords(verification: HostedVerification, now: Date): EndWords | null {
  const { status, failureCode } = verification;
  switch (status) {
    case 'PENDING':
      return isOpen(verification, now) ? null : EXPIRED;
    case 'VERIFIED':
      return {
        title: 'verifiedTitle',
        text: isDone(verification) ? 'verifiedText' : 'stepsLeft',
        look: 'good',
      };
    case 'ACTION_REQUIRED':
      return {
        title: 'reviewTitle',
        text: isDone(verification) ? 'reviewText' : 'stepsLeft',
        look: 'waiting',
      };
    case 'DECLINED':
      return failureCode === 'REVOKED'
        ? { title: 'revokedTitle', text: 'revokedText', look: 'bad' }
        : { title: 'declinedTitle', text: 'declinedText', look: 'bad' };
    case 'FAILED':
      return failureCode === 'TOO_MANY_ATTEMPTS'
        ? { title: 'failedTitle', text: 'failedText', look: 'bad' }
        : EXPIRED;
    case 'DELETED':
      return PAGE_ENDS.WITHDRAWN;
  }
}

/** The page has nothing to show of its verification. */
export function pageEndView(page: HostedPage): PageContent {
  const { end } = page.state;
  return end === null ? nothing : resultView(page, PAGE_ENDS[end]);
}

function resultView(page: HostedPage, { title, text, look }: EndWords): PageContent {
  const { say, verification } = page.state;
  const tenant = verification?.tenantName ?? '';
  return html`<section class="result ${look}">
    <div role="status">
      <h2 tabindex="-1"><span class="sign" aria-hidden="true"></span>${say(title)}</h2>
      <p>${say(text, { tenant })}</p>
    </div>
    ${verification ? backView(page, verification) : nothing}
  </section>`;
}

function backView(page: HostedPage, verification: HostedVerification): PageContent {
  const { say, leavesIn } = page.state;
  const target = wayBack(verification);
  const isStillNeeded = isFinished(verification) && !isDone(verification);
  if (target === null || isStillNeeded) return nothing;
  const tenant = verification.tenantName;
  return html`<p>
      <a class="button main-action" href=${target} target="_top" rel="noreferrer"
        >${say('goBack', { tenant })}</a
      >
    </p>
    ${
      leavesIn === null
        ? nothing
        : html`<p>
            ${say('leaving', { tenant, seconds: leavesIn })}
            <button type="button" class="link" @click=${() => page.set({ leavesIn: null })}>
              ${say('stay')}
            </button>
          </p>`
    }`;
}
