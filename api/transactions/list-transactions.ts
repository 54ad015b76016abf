import { z } from 'zod';
import { listTransactions } from '../../db/transactions/list-transactions.ts';
import { ListTransactionsQuery } from '../../domain/transactions/viewing/list.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { defineEndpoint } from '../endpoint.ts';
import { countHeader, TOTAL_COUNT } from '../total-count.ts';

export const listTransactionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/transactions',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Transactions',
  summary: 'List transactions',
  description:
    'Newest first. `q` finds names and metadata by whole words and by prefixes of three letters and more, all words ' +
    'within one party; addresses, hashes, references and ids exactly or by prefix.',
  query: ListTransactionsQuery,
  responses: { 200: { description: 'One page.', schema: z.array(Transaction), headers: TOTAL_COUNT } },
  errors: [],
  async handle({ query, caller, wantsCount }, { db }) {
    const { records, total } = await listTransactions(db, caller.tenantId, query, wantsCount);
    const body = records.map((record) => viewTransaction(record, caller.tenant.entityId));
    return { status: 200, body, headers: countHeader(total) };
  },
});
