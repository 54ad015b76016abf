import type { Endpoint } from './endpoint.ts';
import { getLive } from './health/get-live.ts';
import { getMetrics } from './health/get-metrics.ts';
import { getReady } from './health/get-ready.ts';
import { createTransaction } from './transactions/create-transaction.ts';
import { deleteTransaction } from './transactions/delete-transaction.ts';
import { getTransaction } from './transactions/get-transaction.ts';
import { listTransactionEvents } from './transactions/list-transaction-events.ts';
import { listTransactions } from './transactions/list-transactions.ts';
import { patchTransaction } from './transactions/patch-transaction.ts';

/** Every endpoint there is: router, OpenAPI document and response check all read this list. */
export const endpoints: readonly Endpoint[] = [
  createTransaction,
  listTransactions,
  getTransaction,
  patchTransaction,
  deleteTransaction,
  listTransactionEvents,
  getLive,
  getReady,
  getMetrics,
];
