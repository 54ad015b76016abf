import type { OpenTransaction } from '../db/transactions/row.ts';
import type { SealedScreening } from '../db/sanctions-screenings/screening-row.ts';
import type { ScreeningSettings } from '../domain/sanctions-screening/settings.ts';
import { isNamed, isScreenable } from '../domain/sanctions-screening/subject.ts';
import { subjectsOf, type ScreenedSubject } from '../domain/transactions/deciding/screened-subjects.ts';
import type { TransactionScreening } from '../domain/transactions/deciding/screening.ts';
import type { KnownVasp } from '../domain/transactions/deciding/vasp-names.ts';
import { isSubjectReleased, shownMatches } from '../domain/transactions/deciding/released-matches.ts';
import type {
  PreparedScreening,
  ScreeningRequest,
  SubjectScreener,
} from '../sanctions-index/screen-subjects.ts';

const SERVICE = { kind: 'SYSTEM', id: null } as const;

interface ComparedWith {
  settings: ScreeningSettings;
  vasp: KnownVasp | null;
  owners: readonly string[];
}

/** A name or an address of a transfer and what the lists say of it. */
export interface ComparedParty {
  role: string;
  /** Whether it is a name, and no placeholder. */
  isNamed: boolean;
  /** Null for a name without a letter or digit, which cannot be compared. */
  prepared: PreparedScreening | null;
}

/**
 * Compares every name and address of a transfer with the lists. `vasp` is what the directory knows of the counterparty, `owners`
 * the names under which its self-hosted wallet was declared.
 * Throws temporarily_unavailable, and IndexNotLoaded.
 */
export async function compareWithLists(
  screener: SubjectScreener,
  { record, key }: OpenTransaction,
  { settings, vasp, owners }: ComparedWith,
): Promise<ComparedParty[]> {
  const transfer = { id: record.id, key };
  const { tenantId } = record;
  const request = { tenantId, settings, hasSuppressions: true, askedBy: SERVICE, transfer };
  return await Promise.all(
    subjectsOf(record, vasp, owners).map(async (subject) => await compare(screener, request, subject)),
  );
}

async function compare(
  screener: SubjectScreener,
  request: Omit<ScreeningRequest, 'subject'>,
  subject: ScreenedSubject,
): Promise<ComparedParty> {
  const { role } = subject;
  const isName = subject.kind === 'NAME';
  if (isName && !isScreenable(subject.body)) return { role, isNamed: false, prepared: null };
  const prepared = await screener.prepare({ ...request, subject });
  return { role, isNamed: isName && isNamed(subject.body), prepared };
}

/** Whether every list that the tenant requires was searched. */
export function isComplete(compared: readonly ComparedParty[]): boolean {
  return compared.every(({ prepared }) => prepared === null || prepared.screening.missingLists.length === 0);
}

/**
 * The oldest version of each list that was searched; 0 where one party was compared without the list. An index is replaced
 * between the searches of one transfer, too, and the one before may not have had the list at all.
 */
export function searchedVersions(compared: readonly ComparedParty[]): ReadonlyMap<string, number> {
  const searched = compared.flatMap(({ prepared }) => (prepared ? [prepared.screening.lists] : []));
  const codes = new Set(searched.flatMap((lists) => lists.map(({ code }) => code)));
  const oldest = (code: string) =>
    Math.min(...searched.map((lists) => lists.find((list) => list.code === code)?.version ?? 0));
  return new Map([...codes].map((code) => [code, oldest(code)]));
}

/** The roles without whose names nobody can say that no name matches. */
const PARTIES = new Set(['originator', 'beneficiary', 'received/originator', 'received/beneficiary']);

/** The sanctions finding of the transfer. `released` are the screenings that reviewers have let pass. */
export function sanctionsOf(
  compared: readonly ComparedParty[],
  released: readonly TransactionScreening[],
): TransactionScreening['sanctions'] {
  const shown = shownMatches(released);
  const subjects = compared.map(({ role, prepared }) => {
    const subject = { role, screening: prepared?.screening ?? null };
    return { ...subject, isReleased: isSubjectReleased(subject, shown) };
  });
  const isMatch = (kind: 'NAME' | 'ADDRESS') =>
    subjects.some(({ screening }) => screening?.kind === kind && screening.sanctioned);
  const isPartyNamed = compared.some((party) => PARTIES.has(party.role) && party.isNamed);
  return {
    nameMatch: isMatch('NAME') || (isPartyNamed ? false : null),
    addressMatch: isMatch('ADDRESS'),
    subjects,
  };
}

/** The screenings with matches, for the tenant's history; sealed by the key of the transfer. */
export function matchesOf(compared: readonly ComparedParty[]): SealedScreening[] {
  return compared.flatMap(({ prepared }) =>
    prepared && prepared.screening.totalMatches > 0 ? [prepared.seal()] : [],
  );
}
