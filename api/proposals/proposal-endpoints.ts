import type { Endpoint } from '../endpoint.ts';
import { listWorkItemsEndpoint } from '../work-items/list-work-items.ts';
import { approveProposalEndpoint } from './approve-proposal.ts';
import { listProposalsEndpoint } from './list-proposals.ts';
import { refuseProposalEndpoint } from './refuse-proposal.ts';
import { withdrawProposalEndpoint } from './withdraw-proposal.ts';

/** Four eyes and the list of work, in the order of the reference. */
export const proposalEndpoints: readonly Endpoint[] = [
  listWorkItemsEndpoint,
  listProposalsEndpoint,
  approveProposalEndpoint,
  refuseProposalEndpoint,
  withdrawProposalEndpoint,
];
