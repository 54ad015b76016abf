import type { Endpoint } from '../endpoint.ts';
import { createTransactionEndpoint } from './create-transaction.ts';
import { disposeOfAssetsEndpoint } from './dispose-of-assets.ts';
import { proceedTransactionEndpoint } from './proceed-transaction.ts';
import { deleteTransactionEndpoint } from './delete-transaction.ts';
import { getEvidenceEndpoint } from './get-evidence.ts';
import { getLegalHoldEndpoint } from './get-legal-hold.ts';
import { getTransactionScreeningEndpoint } from './get-transaction-screening.ts';
import { getTransactionEndpoint } from './get-transaction.ts';
import { listTransactionEventsEndpoint } from './list-transaction-events.ts';
import { listTransactionsEndpoint } from './list-transactions.ts';
import { patchTransactionEndpoint } from './patch-transaction.ts';
import { preflightTransactionEndpoint } from './preflight-transaction.ts';
import { requestRepairEndpoint } from './request-repair.ts';
import { resubmitTransactionEndpoint } from './resubmit-transaction.ts';
import { retryTransactionEndpoint } from './retry-transaction.ts';
import { reviewTransactionEndpoint } from './review-transaction.ts';
import { setLegalHoldEndpoint } from './set-legal-hold.ts';

/** Transactions, in the order of the reference. */
export const transactionEndpoints: readonly Endpoint[] = [
  createTransactionEndpoint,
  preflightTransactionEndpoint,
  listTransactionsEndpoint,
  getTransactionEndpoint,
  getTransactionScreeningEndpoint,
  patchTransactionEndpoint,
  deleteTransactionEndpoint,
  resubmitTransactionEndpoint,
  retryTransactionEndpoint,
  reviewTransactionEndpoint,
  proceedTransactionEndpoint,
  disposeOfAssetsEndpoint,
  requestRepairEndpoint,
  listTransactionEventsEndpoint,
  getEvidenceEndpoint,
  setLegalHoldEndpoint,
  getLegalHoldEndpoint,
];
