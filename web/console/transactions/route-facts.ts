import { html, nothing } from 'lit';
import { pathTo } from '../place.ts';
import { DASH, badge, copied, deadline, eur, facts, section, text, timeCell } from '../values.ts';
import { toneOf, words } from '../words.ts';
import { amountText, type Transaction } from './transaction-list.ts';

/** What moves, from where to where, by which network, and what it waits for. */
export function routeFacts(transaction: Transaction): unknown {
  const { blockchainInfo: chain, vaspInfo: vasp } = transaction;
  return section(
    'Route',
    html`<div class="columns">
      <div>
        <h3>Coins</h3>
        ${facts(
          [
            [
              'Amount',
              html`${amountText(transaction)} <span class="dim">${eur(transaction.amountEur)}</span>`,
            ],
            ['Blockchain', text(chain.blockchain)],
            ['From', copied(chain.origin, 'origin')],
            ['To', copied(chain.destination, 'destination')],
            ['Tag', text(chain.destinationTag)],
            ['Hash', copied(chain.transactionHash, 'hash')],
            ['Wallets', `${words(chain.originType)} to ${words(chain.destinationType).toLowerCase()}`],
            ['Destination is ours', ownership(chain.isDestinationConfirmed)],
          ],
          true,
        )}
      </div>
      <div>
        <h3>Message</h3>
        ${facts(
          [
            [
              'Status',
              html`${badge(transaction.status, toneOf(transaction.status))} ${subStatus(transaction)}`,
            ],
            ['Sender’s VASP', vaspLink(vasp.originatorVaspName, vasp.originatorVaspEntityId)],
            ['Beneficiary’s VASP', vaspLink(vasp.beneficiaryVaspName, vasp.beneficiaryVaspEntityId)],
            ['E-mail', text(vasp.beneficiaryVaspEmail ?? vasp.originatorVaspEmail)],
            ['Came by', text(transaction.travelRuleMessageSource)],
            ['Deadline', deadline(transaction.clearance.deadlineAt)],
            ['Created', timeCell(transaction.createdAt)],
            ['Reference', text(transaction.reference)],
          ],
          true,
        )}
      </div>
      ${notes(transaction)}
    </div>`,
  );
}

function subStatus({ subStatus: code }: Transaction): unknown {
  return code === null ? nothing : html`<span class="dim">${words(code)}</span>`;
}

function ownership(isConfirmed: boolean | null): unknown {
  if (isConfirmed === null) return DASH;
  return isConfirmed ? 'Yes' : 'Not confirmed';
}

function vaspLink(name: string | null, entityId: string | null): unknown {
  if (entityId === null) return text(name);
  return html`<a href=${pathTo('counterparties', entityId)}>${name ?? 'In the directory'}</a>`;
}

function notes(transaction: Transaction): unknown {
  const {
    statusReasoning,
    statusReasonCode,
    internalNote,
    metadata,
    assetsDisposition,
    relatedTransactionId,
  } = transaction;
  const { sunriseOverride, resubmissionOf } = transaction;
  const content = facts(
    [
      ['Reason code', statusReasonCode === null ? DASH : words(statusReasonCode)],
      ['Reasoning', text(statusReasoning)],
      ['Internal note', text(internalNote)],
      ['Metadata', text(metadata)],
      ['Coins', assetsDisposition === null ? DASH : words(assetsDisposition)],
      ['Went without an answer', text(sunriseOverride?.reason)],
      ['Related', transactionLink(relatedTransactionId)],
      ['Sent again instead of', transactionLink(resubmissionOf)],
    ],
    true,
  );
  return content === nothing
    ? nothing
    : html`<div>
        <h3>Notes</h3>
        ${content}
      </div>`;
}

function transactionLink(id: string | null): unknown {
  return id === null ? DASH : html`<a href=${pathTo('transactions', id)}>Transaction ${id.slice(0, 8)}</a>`;
}
