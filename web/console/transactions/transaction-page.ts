import { html, nothing } from 'lit';
import type { OfferedAct } from '../act-bar.ts';
import type { Schemas } from '../api-types.ts';
import type { FeedChange } from '../change-feed.ts';
import { deliverySection } from '../delivery-table.ts';
import { eventTimeline } from '../event-timeline.ts';
import { apiUrl, get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { pathTo } from '../place.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { temporalLink } from '../temporal-link.ts';
import { badge, section, shortId, timeCell } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { legalHoldAct, legalHoldNote } from './legal-hold.ts';
import { decisionTrace } from './decision-trace.ts';
import { partyCards } from './party-cards.ts';
import { routeFacts } from './route-facts.ts';
import { screeningPanel } from './screening-panel.ts';
import { transactionActs } from './transaction-acts.ts';
import { asSeen } from './transaction-summary.ts';
import { amountText, clearanceBadge, counterpartyName, type Transaction } from './transaction-list.ts';

/** Everything that is known of one transaction, and what can be done with it. */
export class TransactionPage extends PagePart {
  recordId = '';
  #follows = { follows: ({ id }: FeedChange) => id === this.recordId };
  #transaction = new ApiReading(
    this,
    async () => await get('/transactions/{id}', this.#path()),
    this.#follows,
  );
  #screening = new ApiReading(
    this,
    async () => await get('/transactions/{id}/screening', this.#path()),
    this.#follows,
  );
  #decisions = new ApiReading(
    this,
    async () => await get('/transactions/{id}/decisions', this.#path()),
    this.#follows,
  );
  #events = new ApiReading(
    this,
    async () => await get('/transactions/{id}/events', this.#path()),
    this.#follows,
  );
  #deliveries = new ApiReading(this, async () => await this.#readDeliveries(), this.#follows);
  #proofs = new ApiReading(this, async () => await this.#readProofs());
  #legalHold = new ApiReading(
    this,
    async () => await get('/transactions/{id}/legal-hold', this.#path()),
    this.#follows,
  );

  #path() {
    return { path: { id: this.recordId } };
  }

  async #readDeliveries() {
    return await get('/tenant/me/webhook-deliveries', { query: { _resourceId: this.recordId } });
  }

  /** Proofs that the self-hosted wallet of the transfer is its owner's. */
  async #readProofs() {
    const { blockchainInfo: chain } = await get('/transactions/{id}', this.#path());
    const wallet = chain.destinationType === 'NON_CUSTODIAL' ? chain.destination : null;
    const address = chain.originType === 'NON_CUSTODIAL' ? chain.origin : wallet;
    return address === null ? [] : await get('/wallet-verification', { query: { q: address } });
  }

  #again(): void {
    for (const reading of [
      this.#transaction,
      this.#screening,
      this.#decisions,
      this.#events,
      this.#deliveries,
      this.#legalHold,
    ]) {
      void reading.again();
    }
  }

  override render(): unknown {
    return html`<p class="crumbs">
        <a href=${pathTo('transactions')}>Transactions</a> / ${shortId(this.recordId)}
      </p>
      ${this.#transaction.showPage('the transaction', (transaction) => this.#show(transaction))}`;
  }

  #show(transaction: Transaction): unknown {
    return html`${this.#head(transaction)} ${warnings(transaction)} ${legalHoldNote(this.#legalHold.value)}
    ${routeFacts(transaction)} ${partyCards(transaction)}
    ${this.#screening.show('the screening', screeningPanel)}
    ${this.#decisions.show('the decisions of the rules', decisionTrace)}
    ${this.#proofs.show('proofs of the wallet', proofSection)}
    ${this.#events.show('the timeline', eventTimeline)}
    ${this.#deliveries.show('the webhooks', (deliveries) =>
      deliverySection(deliveries, () => void this.#deliveries.again()),
    )}`;
  }

  #acts(transaction: Transaction): OfferedAct[] {
    const again = () => this.#again();
    return [
      ...transactionActs(asSeen(transaction, this.#screening.value), again),
      ...legalHoldAct(transaction, this.#legalHold.value, again),
    ];
  }

  #head(transaction: Transaction): unknown {
    const { clearance, direction, id } = transaction;
    return html`<header class="page-head">
      <div>
        <h1>
          ${amountText(transaction)} ${direction === 'INCOMING' ? 'from' : 'to'}
          ${counterpartyName(transaction) ?? 'an unknown VASP'}
        </h1>
        <p>${clearanceBadge(clearance.outcome)} ${clearance.reasons.map(words).join(', ')}</p>
      </div>
      <div class="page-acts">
        <wb-act-bar .acts=${this.#acts(transaction)}></wb-act-bar>
        <p class="links">
          ${
            session.may('EXPORT')
              ? html`<a href=${apiUrl(`/transactions/${id}/evidence`)} download>Download the evidence</a>`
              : nothing
          }
          ${temporalLink(`tx/${id}`)}
        </p>
      </div>
    </header>`;
  }
}

function warnings({ warnings: told }: Transaction): unknown {
  return told.map(({ message }) => html`<p class="note attention">${message}</p>`);
}

function proofSection(proofs: readonly Schemas['WalletVerification'][]): unknown {
  if (proofs.length === 0) return nothing;
  return section(
    'Proofs of the wallet',
    html`<ul class="bare">
      ${proofs.map(
        ({ id, status, flow, verifiedAt, createdAt }) =>
          html`<li>
            ${badge(status, toneOf(status))}
            <a href=${pathTo('verifications', id)}>${flow === null ? 'Not begun' : words(flow)}</a>
            <span class="dim">${timeCell(verifiedAt ?? createdAt)}</span>
          </li>`,
      )}
    </ul>`,
  );
}
