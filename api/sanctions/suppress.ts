import { newId } from '../../db/new-id.ts';
import { proposeOrAgree } from '../../db/proposals/propose-or-agree.ts';
import { getScreening } from '../../db/sanctions-screenings/get-screening.ts';
import { insertSuppression } from '../../db/sanctions-screenings/suppressions.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { viewProposal } from '../../domain/proposals/schema.ts';
import type { MatchView, SanctionsScreening } from '../../domain/sanctions-screening/schema.ts';
import type { CreateSuppressionBody, Suppression } from '../../domain/sanctions-screening/suppression.ts';
import type { ActRequest } from '../act-request.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/**
 * Marks a match as a false positive. With four eyes the first person proposes it, and the second does it. Throws not_found,
 * validation_failed, conflict.
 */
export async function suppress(
  { db }: Pick<Deps, 'db'>,
  { caller, commit, body, approves }: ActRequest<CreateSuppressionBody>,
): Promise<EndpointAnswer> {
  const { tenantId } = caller;
  const { screeningId, listCode, listingId } = body;
  const { json, subjectToken } = await getScreening(db, tenantId, screeningId);
  const now = new Date();
  const suppression = suppressionOf(json, body, { madeBy: actorOf(caller), now });
  const { fourEyes } = await getTenantSettings(db.pool, tenantId);
  const keys = await db.vault.tenantKeys(tenantId);
  return await commit(async (tx) => {
    const detail = `${listCode} ${listingId}`;
    const act = { kind: 'SUPPRESSION', subjectId: screeningId, detail, basis: '', request: body } as const;
    const takesTwo = approves !== null || fourEyes.suppressions;
    const outcome = takesTwo ? await proposeOrAgree(tx, act, { caller, keys, now, approves }) : null;
    const proposal = outcome ? { proposal: viewProposal(outcome.proposal) } : {};
    if (outcome?.isAgreed === false) return { status: 200, body: proposal };
    await insertSuppression(tx, { tenantId, keys, subjectToken, suppression });
    return {
      status: 201,
      body: { ...suppression, ...proposal },
      shows: { kind: 'SUPPRESSION', id: suppression.id },
    };
  });
}

function suppressionOf(
  json: Buffer,
  body: CreateSuppressionBody,
  { madeBy, now }: { madeBy: Suppression['madeBy']; now: Date },
): Suppression {
  const screening = JSON.parse(json.toString()) as SanctionsScreening;
  const { name, entryHash } = findMatch(screening, body);
  return {
    id: newId(now),
    screeningId: screening.id,
    screenedName: screening.screenedName,
    listCode: body.listCode,
    listingId: body.listingId,
    name,
    entryHash,
    note: body.note ?? null,
    madeBy,
    createdAt: now.toISOString(),
  };
}

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
