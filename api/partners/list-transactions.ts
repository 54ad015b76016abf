import { listTransactions } from '../../db/transactions/list-transactions.ts';
import { VASP_SEARCH_FIELDS } from '../../db/transactions/search-tokens.ts';
import {
  ListPartnerTransactionsQuery,
  PartnerTransaction,
} from '../../domain/partners/transaction-schema.ts';
import { viewWithoutParties } from '../../domain/partners/view-transaction.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listPartnerTransactionsEndpoint = defineEndpoint({
  operationId: 'listPartnerTransactions',
  method: 'GET',
  path: '/partners/me/transactions',
  auth: 'PARTNER',
  limit: 'READS',
  tag: 'Partner',
  summary: 'List the messages to and from your network',
  description:
    'Newest first. Only messages that were routed to the partner, and those that it sent. A list shows no personal data: ' +
    'each reading of it is logged, so read one transaction. `q` finds names of VASPs by whole words and by prefixes of at ' +
    'least three letters; addresses, hashes, references and ids exactly or by prefix.',
  query: ListPartnerTransactionsQuery,
  responses: { 200: pageOf(PartnerTransaction) },
  errors: [],
  async handle({ query, caller: { partnerId } }, { db }) {
    return answerPage(await listTransactions(db, partnerId, query, VASP_SEARCH_FIELDS), viewWithoutParties);
  },
});
