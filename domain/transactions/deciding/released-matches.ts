import { canonicalJson } from '../../canonical-json.ts';
import { nameWords } from '../../sanctions/added-entry.ts';
import type { MatchView, SanctionsScreening } from '../../sanctions-screening/schema.ts';
import type { TransactionRecord } from '../record.ts';
import type { TransactionScreening } from './screening.ts';

type SanctionsFinding = TransactionScreening['sanctions'];

/**
 * Whether the lists stop a transfer. What a reviewer has released stays released: of such a transfer only matches count
 * that the screening before did not show. `released` is that screening; null where no reviewer has released the transfer.
 */
export function isStoppedByLists(sanctions: SanctionsFinding, released: SanctionsFinding | null): boolean {
  if (released === null) return sanctions.nameMatch === true || sanctions.addressMatch;
  const seen = new Set(released.subjects.flatMap(({ screening }) => (screening ? matchKeys(screening) : [])));
  return sanctions.subjects.some(
    ({ screening }) => screening?.sanctioned === true && hasUnseen(screening, seen),
  );
}

/** A match that decides may be hidden by the tenant's thresholds; then nobody has seen it. */
function hasUnseen(screening: SanctionsScreening, seen: ReadonlySet<string>): boolean {
  const decisive = screening.matches.filter(({ riskLevel }) => riskLevel === 'high');
  return decisive.length === 0 || decisive.some((match) => !seen.has(matchKey(screening, match)));
}

function matchKeys(screening: SanctionsScreening): string[] {
  return screening.matches.map((match) => matchKey(screening, match));
}

/** A match is the same with the same subject, entry, listed name and equal identifiers, whatever else the entry says. */
function matchKey({ request }: SanctionsScreening, { listCode, listingId, explanation }: MatchView): string {
  const { matchedName, qualifiers } = explanation;
  return canonicalJson({
    request,
    listCode,
    listingId,
    name: matchedName === null ? null : nameWords(matchedName),
    identifiers: qualifiers.flatMap(({ kind, listed }) => (kind === 'identifier' ? [listed] : [])),
  });
}

/** When a reviewer last let the transfer pass; null where nobody has, or where it was retried since. */
export function releaseTimeOf({ personal }: Pick<TransactionRecord, 'personal'>): string | null {
  const last = personal.reviews?.findLast(({ proposal }) => proposal === undefined);
  return last?.decision === 'PROCEED' && last.isVoid !== true ? last.at : null;
}
