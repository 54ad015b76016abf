import { html, nothing } from 'lit';
import type { FeedChange } from '../change-feed.ts';
import { eventTimeline } from '../event-timeline.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { temporalLink } from '../temporal-link.ts';
import { badge, copied, deadline, DASH, facts, section, shortId, text, timeCell } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { fileLink } from './proof-files.ts';
import { verificationActs } from './verification-acts.ts';
import type { Verification } from './verification-list.ts';

type Step = Verification['additionalSteps'][number];

/** One proof of a wallet: what was handed in, and the decision on it. */
export class VerificationPage extends PagePart {
  recordId = '';
  #follows = { follows: ({ id }: FeedChange) => id === this.recordId };
  #verification = new ApiReading(
    this,
    async () => await get('/wallet-verification/{id}', this.#path()),
    this.#follows,
  );
  #files = new ApiReading(
    this,
    async () => await get('/wallet-verification/{id}/files', this.#path()),
    this.#follows,
  );
  #events = new ApiReading(
    this,
    async () => await get('/wallet-verification/{id}/events', this.#path()),
    this.#follows,
  );

  #path() {
    return { path: { id: this.recordId } };
  }

  #again(): void {
    for (const reading of [this.#verification, this.#files, this.#events]) void reading.again();
  }

  override render(): unknown {
    return html`<p class="crumbs">
        <a href=${pathTo('verifications')}>Wallet verifications</a> / ${shortId(this.recordId)}
      </p>
      ${this.#verification.showPage('the verification', (verification) => this.#show(verification))}`;
  }

  #show(verification: Verification): unknown {
    const { address, status, statusReasoning, id, warnings } = verification;
    return html`<header class="page-head">
        <div>
          <h1>${verification.flow === null ? 'Wallet verification' : words(verification.flow)}</h1>
          <p>${badge(status, toneOf(status))} <code>${address}</code></p>
          ${statusReasoning === null ? nothing : html`<p class="dim">${statusReasoning}</p>`}
        </div>
        <div class="page-acts">
          <wb-act-bar .acts=${verificationActs(verification, () => this.#again())}></wb-act-bar>
          <p class="links">${temporalLink(`wv/${id}`)}</p>
        </div>
      </header>
      ${warnings.map((code) => html`<p class="note attention">${words(code)}</p>`)}
      ${proofFacts(verification)}
      ${section(
        'Files',
        this.#files.show(
          'the files',
          (files) =>
            html`<wb-proof-files
              .files=${files}
              .linkOf=${async (fileId: string) => await fileLink(id, fileId)}
            ></wb-proof-files>`,
        ),
      )}
      ${verification.additionalSteps.map((step) => stepSection(id, step))}
      ${this.#events.show('the timeline', eventTimeline)}`;
  }
}

function proofFacts(verification: Verification): unknown {
  const { satoshiFlow: satoshi, message, signature, reuse } = verification;
  return section(
    'Proof',
    html`${facts(
      [
        ['Address', copied(verification.address, 'address')],
        ['Blockchain', `${verification.blockchain}, ${verification.asset}`],
        ['Customer', text(verification.customerIdentification)],
        ['Risk of the wallet', badge(verification.riskSeverity, toneOf(verification.riskSeverity))],
        ['Methods allowed', verification.allowedFlows.map(words).join(', ')],
        ['Created', timeCell(verification.createdAt)],
        ['Verified', timeCell(verification.verifiedAt)],
        ['Ends', verification.status === 'PENDING' ? deadline(verification.expiresAt) : DASH],
        ['Amount of the test', text(satoshi.amount)],
        ['Deposit address', copied(satoshi.depositAddress, 'deposit address')],
        ['Transfer', copied(verification.verifiedTransactionHash, 'hash')],
        ['Taken over from', reuse === null ? DASH : html`an earlier proof, ${timeCell(reuse.verifiedAt)}`],
        ['Metadata', text(verification.metadata)],
      ],
      true,
    )}
    ${
      message === null
        ? nothing
        : html`<h3>Signed text</h3>
            <pre>${message}</pre>`
    }
    ${
      signature === null
        ? nothing
        : html`<h3>Signature</h3>
            <pre>${signature}</pre>`
    }`,
  );
}

function stepSection(verificationId: string, step: Step): unknown {
  const { kind, status, statusReasoning, analysis, documents, metadata, submittedAt } = step;
  const linkOf = async (documentId: string) =>
    await get('/wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}/url', {
      path: { id: verificationId, kind, documentId },
    });
  return section(
    words(kind),
    html`${facts(
        [
          ['Status', badge(status, toneOf(status))],
          ['Reason', text(statusReasoning)],
          ['Handed in', timeCell(submittedAt)],
          ['Analysis', analysis === null ? DASH : `${words(analysis.result)} by ${analysis.provider}`],
          ...Object.entries(metadata ?? {}).map(([name, value]) => [name, String(value)] as const),
        ],
        true,
      )} <wb-proof-files .files=${documents} .linkOf=${linkOf}></wb-proof-files>`,
  );
}
