import type { Endpoint } from '../endpoint.ts';
import { getPartnerEndpoint } from './get-partner.ts';
import { patchPartnerEndpoint } from './patch-partner.ts';

/** The profile of a partner, in the order of the reference. */
export const partnerEndpoints: readonly Endpoint[] = [getPartnerEndpoint, patchPartnerEndpoint];
