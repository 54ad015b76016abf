import type { Endpoint } from '../endpoint.ts';
import { approveErasureEndpoint } from './approve-erasure.ts';
import { callOffErasureEndpoint } from './call-off-erasure.ts';
import { getErasureEndpoint } from './get-erasure.ts';
import { listErasuresEndpoint } from './list-erasures.ts';
import { planErasureEndpoint } from './plan-erasure.ts';

/** How operators erase a tenant, in the order of the reference. */
export const erasureEndpoints: readonly Endpoint[] = [
  planErasureEndpoint,
  getErasureEndpoint,
  approveErasureEndpoint,
  callOffErasureEndpoint,
  listErasuresEndpoint,
];
