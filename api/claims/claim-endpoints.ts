import type { Endpoint } from '../endpoint.ts';
import { answerClaimEndpoint } from './answer-claim.ts';
import { claimTransactionEndpoint } from './claim-transaction.ts';
import { createClaimEndpoint } from './create-claim.ts';
import { getClaimEndpoint } from './get-claim.ts';
import { listClaimEventsEndpoint } from './list-claim-events.ts';
import { listClaimsEndpoint } from './list-claims.ts';
import { listReconciliationEndpoint } from '../reconciliation/list-reconciliation.ts';
import { patchClaimEndpoint } from './patch-claim.ts';

/** Claims and what may need one, in the order of the reference. */
export const claimEndpoints: readonly Endpoint[] = [
  createClaimEndpoint,
  claimTransactionEndpoint,
  listClaimsEndpoint,
  getClaimEndpoint,
  patchClaimEndpoint,
  answerClaimEndpoint,
  listClaimEventsEndpoint,
  listReconciliationEndpoint,
];
