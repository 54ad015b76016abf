import { html, nothing } from 'lit';
import type { Schemas } from '../api-types.ts';
import { facts, text } from '../values.ts';
import { amountText, counterpartyName, type Transaction } from './transaction-list.ts';

export type ReviewedFile = Schemas['TransactionReviewFile'];

/**
 * The transaction with the version that the person has seen. Record and findings are read one after the other, so the older of
 * the two versions counts: a decision on it is a conflict if anything came in between.
 */
export function asSeen(transaction: Transaction, file: ReviewedFile | null | undefined): Transaction {
  return file ? { ...transaction, version: Math.min(transaction.version, file.version) } : transaction;
}

/** A transaction in a few lines: who, how much, and what was found. */
export function transactionSummary(
  transaction: Transaction,
  file: ReviewedFile | null,
): { title: string; content: unknown } {
  const { direction, originator, beneficiary, blockchainInfo, amountEur, sealed } = transaction;
  const way = direction === 'INCOMING' ? 'from' : 'to';
  return {
    title: `${amountText(transaction)} ${way} ${counterpartyName(transaction) ?? 'an unknown VASP'}`,
    content: html`${facts(
      [
        ['Originator', text(sealed ? 'Sealed' : originator?.name)],
        ['Beneficiary', text(sealed ? 'Sealed' : beneficiary?.name)],
        ['In euro', text(amountEur)],
        ['Blockchain', text(blockchainInfo.blockchain)],
        ['To', html`<code>${blockchainInfo.destination}</code>`],
      ],
      true,
    )}
    ${file === null ? nothing : matchLines(file)}`,
  };
}

function matchLines({ screening }: ReviewedFile): unknown {
  const found = (screening?.sanctions.subjects ?? []).flatMap(({ screening: one, isReleased }) =>
    isReleased ? [] : (one?.matches ?? []).map((match) => ({ match, screened: one?.screenedName ?? '' })),
  );
  if (found.length === 0) return nothing;
  return html`<ul class="bare">
    ${found.map(
      ({ match, screened }) =>
        html`<li class="note attention">
          <strong>${screened}</strong> fits <strong>${match.name}</strong> on ${match.listCode} to
          ${Math.round(match.riskScore)} of 100
        </li>`,
    )}
  </ul>`;
}
