import { html, nothing } from 'lit';
import type { HostedVerification } from '../hosted-verification.ts';
import { durationLeft, momentIn } from '../format.ts';
import type { WordKey } from '../language.ts';
import type { HostedPage } from '../page.ts';
import { qrCode } from '../qr-code.ts';
import { isHandheld } from '../wallets/app-links.ts';
import {
  actionButton,
  addressView,
  backButton,
  copyButton,
  screenHeading,
  type PageContent,
} from './parts.ts';

const STARTING = 'sent';
const NEAR_MISSES: Record<HostedVerification['satoshiFlow']['nearMisses'][number], WordKey> = {
  WRONG_AMOUNT: 'nearAmount',
  WRONG_SENDER: 'nearSender',
  WRONG_ASSET: 'nearAsset',
};

/** The way of proof by a small transfer. */
export function sendView(page: HostedPage): PageContent {
  const { say, verification, busy } = page.state;
  if (!verification) return nothing;
  const { satoshiFlow, flow } = verification;
  const hasStarted = flow === 'SATOSHI_TEST';
  // Whoever is on this screen and has sent the transfer need not say so.
  if (satoshiFlow.transfer && !hasStarted && busy === null) queueMicrotask(() => begin(page));
  return html`<section>
    ${backButton(page, say('useOther'))} ${screenHeading(say('sendTitle'))}
    ${hasStarted ? progressView(page, verification) : nothing}
    ${satoshiFlow.transfer ? nothing : paymentView(page, verification)}
    ${
      hasStarted
        ? nothing
        : actionButton(page, {
            control: STARTING,
            label: say('sendDone'),
            isMain: true,
            action: async () => await start(page),
          })
    }
  </section>`;
}

function begin(page: HostedPage): void {
  page.run(STARTING, async () => await start(page));
}

async function start(page: HostedPage): Promise<void> {
  page.show(await page.calls.prove({ verificationFlow: 'SATOSHI_TEST' }));
}

function progressView(
  { state: { say } }: HostedPage,
  { satoshiFlow, asset }: HostedVerification,
): PageContent {
  const { transfer, confirmationsNeeded, nearMisses } = satoshiFlow;
  const needed = confirmationsNeeded ?? 1;
  const count = Math.min(transfer?.confirmations ?? 0, needed);
  return html`<div class="panel">
    <p role="status">${transfer ? say('sendSeen', { count, needed }) : say('sendWaiting')}</p>
    ${
      transfer
        ? html`<progress aria-label=${say('sendSeenLabel')} max=${needed} value=${count}></progress>
            <p class="note">${say('transaction')} <code class="hash">${transfer.transactionHash}</code></p>`
        : html`<progress aria-label=${say('sendSeenLabel')}></progress>`
    }
    ${
      transfer
        ? nothing
        : nearMisses.map(
            (miss) => html`<p class="trouble" role="alert">${say(NEAR_MISSES[miss], { asset })}</p>`,
          )
    }
  </div>`;
}

function paymentView(page: HostedPage, verification: HostedVerification): PageContent {
  const { say } = page.state;
  const { asset, satoshiFlow } = verification;
  const { amount, depositAddress, paymentUri } = satoshiFlow;
  return html`<dl class="payment">
      <dt>${say('sendExactly')}</dt>
      <dd>
        <strong class="amount">${amount} ${asset}</strong> ${copyButton(page, 'copy-amount', amount ?? '')}
      </dd>
      <dt>${say('sendTo')}</dt>
      <dd>${addressView(depositAddress ?? '')} ${copyButton(page, 'copy-address', depositAddress ?? '')}</dd>
    </dl>
    ${paymentUri === null ? nothing : qrCode(paymentUri, say('sendCode'))}
    ${
      paymentUri !== null && isHandheld()
        ? html`<p><a class="button" href=${paymentUri}>${say('openPayment')}</a></p>`
        : nothing
    }
    ${rulesView(page, verification)}`;
}

function rulesView(
  { state: { say, language, now } }: HostedPage,
  verification: HostedVerification,
): PageContent {
  const { addressFormat, blockchain, satoshiFlow } = verification;
  const deadline = new Date(satoshiFlow.deadlineAt ?? verification.expiresAt);
  const left = durationLeft(deadline.getTime() - now.getTime(), language);
  return html`<h3>${say('sendRules')}</h3>
    <ul>
      <li>${say('sendRuleAmount')}</li>
      <li>${say('sendRuleOrigin')}</li>
      ${addressFormat === 'BITCOIN' ? html`<li>${say('sendRuleCoins')}</li>` : nothing}
      <li>${say('sendRuleNetwork', { network: blockchain })}</li>
      <li>${say('sendDeadline', { moment: momentIn(language, deadline), time: left })}</li>
    </ul>`;
}
