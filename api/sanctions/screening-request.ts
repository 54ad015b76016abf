import type { ScreeningRequest } from '../../screening/screen-subjects.ts';
import type { TenantCaller } from '../deps.ts';
import { askedBy } from './asked-by.ts';

/** A screening by the settings of the caller's tenant, which came with its key. */
export function screeningRequest(
  caller: TenantCaller,
  subject: ScreeningRequest['subject'],
): ScreeningRequest {
  const { tenantId, tenant } = caller;
  return { tenantId, settings: tenant.screening, askedBy: askedBy(caller), subject };
}
