import { viewContext } from '../../db/transactions/show-transaction.ts';
import { listTransactions } from '../../db/transactions/list-transactions.ts';
import { ListTransactionsQuery } from '../../domain/transactions/viewing/list.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listTransactionsEndpoint = defineEndpoint({
  operationId: 'listTransactions',
  method: 'GET',
  path: '/transactions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'List transactions',
  description:
    'Newest first. `q` finds names and metadata by whole words and by prefixes of at least three letters; one party must ' +
    'contain all words. It finds addresses, hashes, references and ids exactly or by prefix.',
  query: ListTransactionsQuery,
  responses: { 200: pageOf(Transaction) },
  errors: [],
  async handle({ query, caller: { tenantId, tenant } }, { db }) {
    const page = await listTransactions(db, tenantId, query);
    const context = await viewContext(db, db.pool, page.items);
    return answerPage(page, (record) => viewTransaction(record, tenant.entityId, context));
  },
});
