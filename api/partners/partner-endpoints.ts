import type { Endpoint } from '../endpoint.ts';
import { answerPartnerClaimEndpoint } from './answer-claim.ts';
import { getPartnerClaimEndpoint } from './get-claim.ts';
import { getPartnerEndpoint } from './get-partner.ts';
import { getPartnerTransactionEndpoint } from './get-transaction.ts';
import { listPartnerClaimsEndpoint } from './list-claims.ts';
import { listPartnerTransactionsEndpoint } from './list-transactions.ts';
import { patchPartnerClaimEndpoint } from './patch-claim.ts';
import { patchPartnerEndpoint } from './patch-partner.ts';
import { patchPartnerTransactionEndpoint } from './patch-transaction.ts';
import { requestPartnerRepairEndpoint } from './request-repair.ts';
import { sendPartnerMessageEndpoint } from './send-message.ts';

/** The profile of a partner, its messages and the claims to it, in the order of the reference. */
export const partnerEndpoints: readonly Endpoint[] = [
  getPartnerEndpoint,
  patchPartnerEndpoint,
  sendPartnerMessageEndpoint,
  listPartnerTransactionsEndpoint,
  getPartnerTransactionEndpoint,
  patchPartnerTransactionEndpoint,
  requestPartnerRepairEndpoint,
  listPartnerClaimsEndpoint,
  getPartnerClaimEndpoint,
  patchPartnerClaimEndpoint,
  answerPartnerClaimEndpoint,
];
