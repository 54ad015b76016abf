import { html } from 'lit';
import type { FeedChange } from '../change-feed.ts';
import { eventTimeline } from '../event-timeline.ts';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { badge, copied, deadline, DASH, facts, section, shortId, text, timeCell } from '../values.ts';
import { fieldWords, toneOf } from '../words.ts';
import { claimActs } from './claim-acts.ts';
import { isOpen, otherVasp, type TransferClaim } from './claim-list.ts';

/** One question about a transfer, and its answer. */
export class ClaimPage extends PagePart {
  recordId = '';
  #follows = { follows: ({ id }: FeedChange) => id === this.recordId };
  #claim = new ApiReading(this, async () => await get('/claims/{id}', this.#path()), this.#follows);
  #events = new ApiReading(this, async () => await get('/claims/{id}/events', this.#path()), this.#follows);

  #path() {
    return { path: { id: this.recordId } };
  }

  #again(): void {
    void this.#claim.again();
    void this.#events.again();
  }

  override render(): unknown {
    return html`<p class="crumbs"><a href=${pathTo('claims')}>Claims</a> / ${shortId(this.recordId)}</p>
      ${this.#claim.showPage('the claim', (claim) => this.#show(claim))}`;
  }

  #show(claim: TransferClaim): unknown {
    const who = otherVasp(claim) ?? 'an unknown VASP';
    return html`<header class="page-head">
        <div>
          <h1>
            ${claim.direction === 'INCOMING' ? `${who} asks who sent ${claim.asset}` : `You ask ${who} who sent ${claim.asset}`}
          </h1>
          <p>
            ${badge(claim.status, toneOf(claim.status))}
            ${isOpen(claim.status) ? deadline(claim.deadlineAt) : ''}
          </p>
        </div>
        <div class="page-acts"><wb-act-bar .acts=${claimActs(claim, () => this.#again())}></wb-act-bar></div>
      </header>
      ${section('Transfer', claimFacts(claim))} ${this.#events.show('the timeline', eventTimeline)}`;
  }
}

export function claimFacts(claim: TransferClaim): unknown {
  const { blockchainInfo: chain, beneficiary, requestedFields, transactionId } = claim;
  return facts(
    [
      ['Blockchain', chain.blockchain],
      ['Hash', copied(chain.transactionHash, 'hash')],
      ['To', copied(chain.destination, 'destination')],
      ['From', copied(chain.origin, 'origin')],
      ['Beneficiary', text(beneficiary?.name)],
      ['Asked for', text(requestedFields.map(fieldWords).join('; '))],
      ['Reason', text(claim.statusReasoning)],
      ['Created', timeCell(claim.createdAt)],
      ['Deadline', timeCell(claim.deadlineAt)],
      [
        'Transaction',
        transactionId === null
          ? DASH
          : html`<a href=${pathTo('transactions', transactionId)}>${shortId(transactionId)}</a>`,
      ],
    ],
    true,
  );
}
