import type { ScreeningSettings } from '../../domain/sanctions-screening/settings.ts';
import { isScreenable } from '../../domain/sanctions-screening/subject.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  subjectsOf,
  type ScreenedSubject,
  type TransactionScreening,
} from '../../domain/transactions/deciding/screening.ts';
import type {
  PreparedScreening,
  ScreeningRequest,
  SubjectScreener,
} from '../../sanctions-index/screen-subjects.ts';

const SERVICE = { kind: 'SYSTEM', id: null } as const;

interface ComparedParty {
  role: string;
  /** Null for a name without a letter or digit. */
  prepared: PreparedScreening | null;
}

/**
 * Compares every name and address of a transfer with the lists. `vaspName` is how the directory names a counterparty that
 * the transfer does not name. Throws temporarily_unavailable.
 */
export async function compareWithLists(
  screener: SubjectScreener,
  record: TransactionRecord,
  { settings, vaspName }: { settings: ScreeningSettings; vaspName: string | null },
): Promise<ComparedParty[]> {
  const asked = { tenantId: record.tenantId, settings, hasSuppressions: true, askedBy: SERVICE };
  return await Promise.all(
    subjectsOf(record, vaspName).map(async (subject) => await compare(screener, asked, subject)),
  );
}

async function compare(
  screener: SubjectScreener,
  asked: Omit<ScreeningRequest, 'subject'>,
  subject: ScreenedSubject,
): Promise<ComparedParty> {
  const { role } = subject;
  if (subject.kind === 'NAME' && !isScreenable(subject.body)) return { role, prepared: null };
  return { role, prepared: await screener.prepare({ ...asked, subject }) };
}

/** Whether every list that the tenant requires was asked. */
export function isComplete(compared: readonly ComparedParty[]): boolean {
  return compared.every(({ prepared }) => prepared?.screening.complete ?? true);
}

/** The oldest version of each list that was searched. */
export function searchedVersions(compared: readonly ComparedParty[]): ReadonlyMap<string, number> {
  const oldest = new Map<string, number>();
  for (const { code, version } of compared.flatMap(({ prepared }) => prepared?.screening.lists ?? [])) {
    oldest.set(code, Math.min(version, oldest.get(code) ?? version));
  }
  return oldest;
}

/** What is said of the transfer. */
export function sanctionsOf(compared: readonly ComparedParty[]): TransactionScreening['sanctions'] {
  const subjects = compared.map(({ role, prepared }) => ({ role, screening: prepared?.screening ?? null }));
  const isMatch = (kind: 'NAME' | 'ADDRESS') =>
    subjects.some(({ screening }) => screening?.kind === kind && screening.sanctioned);
  return { nameMatch: isMatch('NAME'), addressMatch: isMatch('ADDRESS'), subjects };
}

/**
 * Keeps what has matches in the tenant's screening history, so that one can be called a false positive. Of a sealed
 * transfer its tenant may see no name there either.
 */
export async function keepMatches(
  screener: SubjectScreener,
  compared: readonly ComparedParty[],
  { sealed }: TransactionRecord,
): Promise<void> {
  for (const { prepared } of compared) {
    if (!prepared || prepared.screening.totalMatches === 0) continue;
    if (sealed && prepared.screening.kind === 'NAME') continue;
    await screener.store(prepared);
  }
}
