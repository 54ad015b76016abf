import { html, nothing } from 'lit';
import type { VerificationFlow, HostedVerification } from '../hosted-verification.ts';
import type { WordKey } from '../language.ts';
import type { HostedPage } from '../page.ts';
import { isOpen, offeredFlows, openSteps } from '../screens.ts';
import { screenHeading, type PageContent } from './parts.ts';

type FlowWords = Record<'title' | 'about' | 'time' | 'cost', WordKey>;

const FLOW_WORDS: Record<VerificationFlow, FlowWords> = {
  SIGNATURE_PROOF: { title: 'signTitle', about: 'signAbout', time: 'signTime', cost: 'signCost' },
  SATOSHI_TEST: { title: 'sendTitle', about: 'sendAbout', time: 'sendTime', cost: 'sendCost' },
  VISUAL_PROOF: { title: 'showTitle', about: 'showAbout', time: 'showTime', cost: 'showCost' },
  SELF_DECLARED: { title: 'declareTitle', about: 'declareAbout', time: 'declareTime', cost: 'declareCost' },
};

type Step = HostedVerification['additionalSteps'][number];

const STEP_WORDS: Record<Step['kind'], { title: WordKey; about: WordKey }> = {
  SOURCE_OF_FUNDS_WEALTH: { title: 'stepSourceTitle', about: 'stepSourceAbout' },
  SELFIE: { title: 'stepSelfieTitle', about: 'stepSelfieAbout' },
};

const STEP_STATES: Record<Step['status'], WordKey> = {
  NOT_STARTED: 'stepNotStarted',
  ACTION_REQUIRED: 'stepReview',
  VERIFIED: 'stepVerified',
  DECLINED: 'stepDeclined',
  FAILED: 'stepDeclined',
};

/** The overview: the ways of proof, and what else is needed. */
export function homeView(page: HostedPage): PageContent {
  const { verification, say, now } = page.state;
  if (!verification) return nothing;
  const offered = isOpen(verification, now) ? offeredFlows(verification) : [];
  const isOver = verification.status === 'FAILED' || verification.status === 'DECLINED';
  return html`${
    offered.length > 0
      ? html`<section>
          ${screenHeading(say('choose'))}
          <ul class="choices">
            ${offered.map((flow, index) => html`<li>${flowButton(page, flow, index === 0 && offered.length > 1)}</li>`)}
          </ul>
        </section>`
      : nothing
  }
  ${isOver ? nothing : stepsView(page, verification)}`;
}

function flowButton(page: HostedPage, flow: VerificationFlow, isStrongest: boolean): PageContent {
  const { say, verification } = page.state;
  const words = FLOW_WORDS[flow];
  const asset = verification?.asset ?? '';
  return html`<button type="button" class="choice" @click=${() => page.open(flow)}>
    <span class="choice-title">
      <strong>${say(words.title)}</strong>
      ${isStrongest ? html`<span class="mark">${say('recommended')}</span>` : nothing}
    </span>
    <span>${say(words.about, { asset })}</span>
    <small>${say(words.time)} · ${say(words.cost)}</small>
  </button>`;
}

function stepsView(page: HostedPage, verification: HostedVerification): PageContent {
  const { say } = page.state;
  const { additionalSteps } = verification;
  if (additionalSteps.length === 0) return nothing;
  const open = openSteps(verification);
  return html`<section>
    <h2 tabindex="-1">${say('stepsTitle')}</h2>
    <ul class="choices">
      ${additionalSteps.map(({ kind, status }) => {
        const words = STEP_WORDS[kind];
        const content = html`<strong>${say(words.title)}</strong><span>${say(words.about)}</span>
          <small class=${status.toLowerCase()}>${say(STEP_STATES[status])}</small>`;
        return html`<li>
          ${
            open.includes(kind)
              ? html`<button type="button" class="choice" @click=${() => page.open(kind)}>${content}</button>`
              : html`<div class="choice done">${content}</div>`
          }
        </li>`;
      })}
    </ul>
  </section>`;
}
