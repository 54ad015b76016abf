import type { PreparedScreening, ScreeningRequest } from '../../sanctions-index/screen-subjects.ts';
import { actorOf, type TenantCaller } from '../caller.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** A screening by the settings of the caller's tenant, which came with its key. */
export function screeningRequest(
  caller: TenantCaller,
  subject: ScreeningRequest['subject'],
): ScreeningRequest {
  const { tenantId, tenant } = caller;
  const { screening: settings, hasSuppressions } = tenant;
  return { tenantId, settings, hasSuppressions, askedBy: actorOf(caller), subject };
}

/** The answer of a screening. The bytes that are stored are the bytes that are sent. */
export function screeningAnswer({ json }: Pick<PreparedScreening, 'json'>): EndpointAnswer {
  return { status: 200, body: json, headers: { 'Content-Type': 'application/json' } };
}
