import type { Endpoint } from '../endpoint.ts';
import {
  getTrpExtensionsEndpoint,
  getTrpIdentityEndpoint,
  getTrpUptimeEndpoint,
  getTrpVersionEndpoint,
} from './describe-node.ts';
import { receiveConfirmationEndpoint } from './receive-confirmation.ts';
import { receiveInquiryEndpoint } from './receive-inquiry.ts';
import { receiveResolutionEndpoint } from './receive-resolution.ts';

/** The endpoints that other VASPs call over the Travel Rule Protocol, in the order in which a transfer uses them. */
export const trpEndpoints: readonly Endpoint[] = [
  receiveInquiryEndpoint,
  receiveResolutionEndpoint,
  receiveConfirmationEndpoint,
  getTrpIdentityEndpoint,
  getTrpVersionEndpoint,
  getTrpExtensionsEndpoint,
  getTrpUptimeEndpoint,
];
