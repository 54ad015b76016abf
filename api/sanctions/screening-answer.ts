import type { PreparedScreening } from '../../sanctions-index/screen-subjects.ts';
import type { EndpointAnswer } from '../middleware/send-answer.ts';

/** The bytes that are kept are the bytes that are sent. */
export function screeningAnswer({ json }: Pick<PreparedScreening, 'json'>): EndpointAnswer {
  return { status: 200, body: json, headers: { 'Content-Type': 'application/json' } };
}
