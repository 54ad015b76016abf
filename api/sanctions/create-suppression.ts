import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import { newId } from '../../db/new-id.ts';
import { getScreening } from '../../db/sanctions-screenings/get-screening.ts';
import { insertSuppression } from '../../db/sanctions-screenings/suppressions.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { MatchView, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { CreateSuppressionBody, Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';
import { askedBy } from './asked-by.ts';

export const createSuppressionEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sanctions/suppressions',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Sanctions',
  summary: 'Call a match a false positive',
  description:
    'From now on this entry is left out when the same subject (same names, birth date, countries, gender and identifiers) ' +
    'is screened, and counted in `suppressedMatches`; it comes back when the list changes the entry. Exact matches of an ' +
    'address cannot be suppressed: 409.',
  body: CreateSuppressionBody,
  responses: { 201: { description: 'Suppressed.', schema: Suppression } },
  errors: ['not_found', 'conflict'],
  async handle({ body, caller, idempotency = null }, { db }) {
    const { tenantId } = caller;
    const { json, subjectToken } = await getScreening(db, tenantId, body.screeningId);
    const screening = JSON.parse(json.toString()) as SanctionsScreening;
    const { name, entryHash } = findMatch(screening, body);
    const now = new Date();
    const suppression: Suppression = {
      id: newId(now),
      screeningId: screening.id,
      screenedName: screening.screenedName,
      listCode: body.listCode,
      listingId: body.listingId,
      name,
      entryHash,
      note: body.note ?? null,
      madeBy: askedBy(caller),
      createdAt: now.toISOString(),
    };
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      await insertSuppression(tx, { tenantId, keys, subjectToken, suppression });
      return { status: 201, body: suppression, sealer: { tenantId, keys } };
    });
    return answer.replayed ? replayOf(answer) : { status: answer.status, body: answer.body };
  },
});

function findMatch(
  { kind, matches }: SanctionsScreening,
  { listCode, listingId }: CreateSuppressionBody,
): MatchView {
  if (kind === 'ADDRESS') {
    throw new DomainError('conflict', 'A listed address is an exact match and cannot be suppressed.');
  }
  const match = matches.find((found) => found.listCode === listCode && found.listingId === listingId);
  if (match) return match;
  throw invalidField('/listingId', 'no_such_match', 'The screening has no match of this list and id.');
}
