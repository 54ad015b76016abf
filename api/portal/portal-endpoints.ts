import type { Endpoint } from '../endpoint.ts';
import { answerPortalClaimEndpoint } from './answer-portal-claim.ts';
import { answerPortalMessageEndpoint } from './answer-portal-message.ts';
import { getPortalClaimEndpoint } from './get-portal-claim.ts';
import { getPortalLinkEndpoint } from './get-portal-link.ts';
import { getPortalMessageEndpoint } from './get-portal-message.ts';
import { patchPortalClaimEndpoint } from './patch-portal-claim.ts';
import { renewPortalLinkEndpoint } from './renew-portal-link.ts';
import { requestPortalCodeEndpoint } from './request-portal-code.ts';
import { requestPortalRepairEndpoint } from './request-portal-repair.ts';
import { startPortalSessionEndpoint } from './start-portal-session.ts';

/** The e-mail portal, in the order of the reference. */
export const portalEndpoints: readonly Endpoint[] = [
  getPortalLinkEndpoint,
  requestPortalCodeEndpoint,
  startPortalSessionEndpoint,
  renewPortalLinkEndpoint,
  getPortalMessageEndpoint,
  answerPortalMessageEndpoint,
  requestPortalRepairEndpoint,
  getPortalClaimEndpoint,
  patchPortalClaimEndpoint,
  answerPortalClaimEndpoint,
];
