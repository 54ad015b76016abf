import { z } from 'zod';
import { disposeOfAssets } from '../../domain/transactions/dispose-of-assets.ts';
import { DisposeBody, Transaction } from '../../domain/transactions/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { commitDecision } from './commit-change.ts';

export const disposeOfAssetsEndpoint = defineEndpoint({
  operationId: 'recordAssetsDisposition',
  method: 'POST',
  path: '/transactions/{id}/assets-disposition',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Transactions',
  summary: 'Record what you did with the coins you received',
  description:
    'For an INCOMING transaction in any status, above all one whose message lacks data or never came: Article 17 of Regulation ' +
    '(EU) 2023/1113. It is an event of the transaction, counts in `GET /counterparties`, and closes a MESSAGE_MISSING of ' +
    '`GET /reconciliation`. It changes no status and moves nothing, and the other VASP does not learn it. A later one replaces it; ' +
    'the log keeps both.',
  params: z.strictObject({ id: UuidParam }),
  body: DisposeBody,
  idempotency: 'TRANSACTION',
  example: { body: { assetsDisposition: 'SUSPENDED' } },
  responses: { 200: { description: 'Recorded.', schema: Transaction } },
  errors: ['invalid_transition'],
  handle: async (request, deps) =>
    await commitDecision(deps, request, (own, by) => disposeOfAssets(own, request.body, by)),
});
