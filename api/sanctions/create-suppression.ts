import { EXAMPLE_IDS as ID } from '../openapi/example-ids.ts';
import { newId } from '../../db/new-id.ts';
import { getScreening } from '../../db/sanctions-screenings/get-screening.ts';
import { insertSuppression } from '../../db/sanctions-screenings/suppressions.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { MatchView, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import { CreateSuppressionBody, Suppression } from '../../domain/sanctions-screening/suppression.ts';
import { defineEndpoint } from '../endpoint.ts';
import { actorOf } from '../caller.ts';

export const createSuppressionEndpoint = defineEndpoint({
  operationId: 'createSanctionsSuppression',
  method: 'POST',
  path: '/sanctions/suppressions',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Sanctions',
  summary: 'Mark a match as a false positive',
  description:
    'Later screenings of the same subject (same names, birth date, countries, gender and identifiers) leave this entry ' +
    'out and count it in `suppressedMatches`, until the list changes the entry. Exact matches of an address cannot be ' +
    'suppressed: 409.',
  body: CreateSuppressionBody,
  example: {
    body: {
      screeningId: ID.screening,
      listCode: 'OFAC_SDN',
      listingId: '22790',
      note: 'Another person: our customer was born in 1990.',
    },
  },
  responses: { 201: { description: 'Suppressed.', schema: Suppression } },
  errors: ['not_found', 'conflict'],
  async handle({ body, caller, commit }, { db }) {
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
      madeBy: actorOf(caller),
      createdAt: now.toISOString(),
    };
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      await insertSuppression(tx, { tenantId, keys, subjectToken, suppression });
      return { status: 201, body: suppression, shows: { kind: 'SUPPRESSION', id: suppression.id } };
    });
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
