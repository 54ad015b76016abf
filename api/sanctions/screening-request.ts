import type { ScreeningRequest } from '../../sanctions-index/screen-subjects.ts';
import type { TenantCaller } from '../deps.ts';
import { askedBy } from './asked-by.ts';

/** A screening by the settings of the caller's tenant, which came with its key. */
export function screeningRequest(
  caller: TenantCaller,
  subject: ScreeningRequest['subject'],
): ScreeningRequest {
  const { tenantId, tenant } = caller;
  const { screening: settings, hasSuppressions } = tenant;
  return { tenantId, settings, hasSuppressions, askedBy: askedBy(caller), subject };
}
