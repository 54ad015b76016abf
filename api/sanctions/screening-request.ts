import type { PreparedScreening, ScreeningRequest } from '../../sanctions-index/screen-subjects.ts';
import { actorOf, type TenantCaller } from '../caller.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/** Builds a screening request with the settings of the caller's tenant, which were loaded with the API key. */
export function screeningRequest(
  caller: TenantCaller,
  subject: ScreeningRequest['subject'],
): ScreeningRequest {
  const { tenantId, tenant } = caller;
  const { screening: settings, hasSuppressions } = tenant;
  return { tenantId, settings, hasSuppressions, askedBy: actorOf(caller), subject };
}

/** Answers 200 with a screening: sends exactly the bytes that are stored. */
export function screeningAnswer({ json }: Pick<PreparedScreening, 'json'>): EndpointAnswer {
  return { status: 200, body: json, headers: { 'Content-Type': 'application/json' } };
}
