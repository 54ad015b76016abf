import { canonicalJson } from '../../canonical-json.ts';
import { nameWords } from '../../sanctions/added-entry.ts';
import { walletIdentity } from '../../sanctions/wallet-key.ts';
import type { MatchView, SanctionsScreening, SanctionsSearchBody } from '../../sanctions-screening/schema.ts';
import { identityText } from '../../sanctions-screening/subject.ts';
import type { ReviewEntry, TransactionRecord } from '../record.ts';
import { roleInTransfer } from './screened-subjects.ts';
import type { TransactionScreening } from './screening.ts';

type SanctionsFinding = TransactionScreening['sanctions'];
type SubjectFinding = Pick<SanctionsFinding['subjects'][number], 'role' | 'screening'>;

/** Whether a name or a wallet of the transfer matches an entry of a list, released or not. */
export function hasMatch({ nameMatch, addressMatch }: SanctionsFinding): boolean {
  return nameMatch === true || addressMatch;
}

/** The matches that hold a transfer and that rules read: not those that a reviewer has released. */
export function countedMatches(
  sanctions: SanctionsFinding,
): Pick<SanctionsFinding, 'nameMatch' | 'addressMatch'> {
  const { nameMatch, addressMatch } = sanctions;
  return {
    nameMatch: nameMatch === true ? !areReleased(sanctions, 'NAME') : nameMatch,
    addressMatch: addressMatch && !areReleased(sanctions, 'ADDRESS'),
  };
}

function areReleased({ subjects }: SanctionsFinding, kind: SanctionsScreening['kind']): boolean {
  const matching = subjects.filter(({ screening }) => screening?.kind === kind && screening.sanctioned);
  return matching.length > 0 && matching.every(({ isReleased }) => isReleased);
}

/** Whether the lists stop a transfer: something matches that no reviewer has released. */
export function isStoppedByLists(sanctions: SanctionsFinding): boolean {
  const { nameMatch, addressMatch } = countedMatches(sanctions);
  return nameMatch === true || addressMatch;
}

/** The matches that these screenings showed to the reviewers who let the transfer pass. */
export function shownMatches(screenings: readonly TransactionScreening[]): ReadonlySet<string> {
  const subjects = screenings.flatMap(({ sanctions }) => sanctions.subjects);
  return new Set(
    subjects.flatMap((subject) => subject.screening?.matches.map((match) => matchKey(subject, match)) ?? []),
  );
}

/** Whether a reviewer was shown every match of this subject that decides. */
export function isSubjectReleased(subject: SubjectFinding, shown: ReadonlySet<string>): boolean {
  const { screening } = subject;
  if (screening?.sanctioned !== true) return false;
  const decisive = screening.matches.filter(({ riskLevel }) => riskLevel === 'high');
  // A match that decides but is not shown has been seen by nobody.
  return decisive.length > 0 && decisive.every((match) => shown.has(matchKey(subject, match)));
}

/**
 * A match is the same with the same subject in the same role, the same entry, listed name and equal identifiers, whatever
 * else the entry says.
 */
function matchKey(subject: SubjectFinding, { listCode, listingId, explanation }: MatchView): string {
  const { matchedName, qualifiers } = explanation;
  const identifiers = qualifiers.flatMap(({ kind, listed }) => (kind === 'identifier' ? [listed] : []));
  return canonicalJson({
    role: roleInTransfer(subject.role),
    subject: subject.screening && identityOf(subject.screening),
    listCode,
    listingId,
    name: matchedName === null ? null : nameWords(matchedName),
    identifiers,
  });
}

/** All that was compared. Screenings of engine 3 and before name the type of a party, which is not compared any more. */
function identityOf({ kind, request }: SanctionsScreening): string {
  if (kind === 'ADDRESS') return walletIdentity(String(request['address']));
  return identityText({ ...(request as SanctionsSearchBody), type: undefined });
}

/** More reviews that let one transfer pass are not read; the latest count. */
const MAX_RELEASES = 20;

/** The reviews that let the transfer pass with its screening, since it was last tried again after a failure. */
export function releasesOf({ personal }: Pick<TransactionRecord, 'personal'>): ReviewEntry[] {
  return (personal.reviews ?? []).filter(isRelease).slice(-MAX_RELEASES);
}

/** Where the transfer could not be screened, the screening before is not what the reviewer has decided on. */
function isRelease({ decision, proposal, isVoid, hold }: ReviewEntry): boolean {
  return decision === 'PROCEED' && proposal === undefined && isVoid !== true && hold !== 'UNSCREENED';
}
