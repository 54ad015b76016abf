import { findKeptAnswer, withIdempotency } from '../../db/idempotency/idempotency.ts';
import { insertScreening } from '../../db/sanctions-screenings/insert-screenings.ts';
import type { Database } from '../../db/database.ts';
import { SanctionsSearchBody, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { requireScreenable } from '../../domain/sanctions-screening/subject.ts';
import type { PreparedScreening } from '../../sanctions-index/screen-subjects.ts';
import type { IdempotentCall } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import type { EndpointAnswer } from '../middleware/send-answer.ts';
import { replayOf } from '../replay.ts';
import { screeningAnswer } from './screening-answer.ts';
import { screeningRequest } from './screening-request.ts';

export const searchSanctionsEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sanctions/search',
  auth: 'TENANT',
  limit: 'SCREENING',
  checksKeyAtWrite: true,
  tag: 'Sanctions',
  summary: 'Screen a person or an organisation',
  description:
    'Against all active lists, or those named in `lists`. `sanctioned` is true from the `matchThreshold` of the settings ' +
    'on; a weak alias never decides by name alone. Without an active list the answer is 503, never "not sanctioned".',
  body: SanctionsSearchBody,
  responses: { 200: { description: 'What was found, best first.', schema: SanctionsScreening } },
  errors: [],
  async handle({ body, caller, idempotency }, { db, subjects }) {
    requireScreenable(body, new Date().toISOString().slice(0, 10));
    const subject = { kind: 'NAME' as const, body };
    const screen = async () => await subjects.prepare(screeningRequest(caller, subject));
    if (idempotency) return await screenOnce(db, idempotency, screen);
    const prepared = await screen();
    await subjects.store(prepared, caller.cachedKey);
    return screeningAnswer(prepared);
  },
});

/** Searched before the transaction, which must not wait for an index; a twin's search is thrown away. */
async function screenOnce(
  db: Database,
  idempotency: IdempotentCall,
  screen: () => Promise<PreparedScreening>,
): Promise<EndpointAnswer> {
  const { tenantId } = idempotency;
  const kept = await findKeptAnswer(db, tenantId, idempotency);
  if (kept) return replayOf(kept);
  const prepared = await screen();
  const keys = await db.vault.tenantKeys(tenantId);
  const answer = await withIdempotency(db, { tenantId, idempotency, now: new Date() }, async (tx) => {
    await insertScreening(tx, prepared.sealed);
    return { status: 200, body: prepared.screening, sealer: { tenantId, keys } };
  });
  return answer.replayed ? replayOf(answer) : screeningAnswer(prepared);
}
