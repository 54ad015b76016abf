import type { Endpoint } from '../endpoint.ts';
import { createPartnerKeyEndpoint } from './create-partner-key.ts';
import { createPartnerEndpoint } from './create-partner.ts';
import { getDeploymentEndpoint } from './get-deployment.ts';
import { getTenantAsOperatorEndpoint } from './get-tenant.ts';
import { listApiKeysAsOperatorEndpoint } from './list-api-keys.ts';
import { listPartnerKeysEndpoint } from './list-partner-keys.ts';
import { listPartnersEndpoint } from './list-partners.ts';
import { listVerificationEventsAsOperatorEndpoint } from './list-verification-events.ts';
import { resumeTenantEndpoint } from './resume-tenant.ts';
import { revokeApiKeyAsOperatorEndpoint } from './revoke-api-key.ts';
import { revokePartnerKeyEndpoint } from './revoke-partner-key.ts';
import { suspendTenantEndpoint } from './suspend-tenant.ts';

/** What operators do with tenants and partners, in the order of the reference. */
export const administrationEndpoints: readonly Endpoint[] = [
  getDeploymentEndpoint,
  getTenantAsOperatorEndpoint,
  suspendTenantEndpoint,
  resumeTenantEndpoint,
  listApiKeysAsOperatorEndpoint,
  revokeApiKeyAsOperatorEndpoint,
  listVerificationEventsAsOperatorEndpoint,
  createPartnerEndpoint,
  listPartnersEndpoint,
  createPartnerKeyEndpoint,
  listPartnerKeysEndpoint,
  revokePartnerKeyEndpoint,
];
