import { listVerifications } from '../../db/verifications/list-verifications.ts';
import { showVerificationTo } from '../../db/verifications/show-verification.ts';
import { ListVerificationsQuery } from '../../domain/verifications/list.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listVerificationsEndpoint = defineEndpoint({
  operationId: 'listVerifications',
  method: 'GET',
  path: '/wallet-verification',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Wallet verification',
  summary: 'List verifications',
  description:
    'Newest first. `q` finds metadata by whole words and by prefixes of at least three letters, addresses and ids exactly ' +
    'or by prefix. To list what waits for a review: `_status=ACTION_REQUIRED`, or `_step=ACTION_REQUIRED`.',
  query: ListVerificationsQuery,
  responses: { 200: pageOf(WalletVerification) },
  errors: [],
  async handle({ query, caller }, { db }) {
    const page = await listVerifications(db, caller.tenantId, query);
    return answerPage(page, (open) => showVerificationTo(caller.role, db, open));
  },
});
