import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  subjectsOf,
  type ScreenedSubject,
  type TransactionScreening,
} from '../../domain/transactions/screening.ts';
import { isScreenable } from '../../domain/screening/subject.ts';
import type { SubjectScreener } from '../../screening/screen-subjects.ts';

const SERVICE = { kind: 'SYSTEM', id: null } as const;

type Sanctions = TransactionScreening['sanctions'];

/**
 * Compares every name and address of a transfer with the lists. What was found is kept in the tenant's screening history
 * too, so that a match can be called a false positive; of a sealed record its tenant may see no name there either. Null when a list that the tenant requires could not be asked.
 * Throws temporarily_unavailable.
 */
export async function screenSanctions(
  screener: SubjectScreener,
  record: TransactionRecord,
): Promise<Sanctions | null> {
  const subjects = await Promise.all(
    subjectsOf(record).map(async (subject) => await screenSubject(screener, record, subject)),
  );
  const screenings = subjects.flatMap(({ screening }) => screening ?? []);
  if (screenings.some(({ complete }) => !complete)) return null;
  const isMatch = (kind: 'NAME' | 'ADDRESS') =>
    screenings.some((screening) => screening.kind === kind && screening.sanctioned);
  return { nameMatch: isMatch('NAME'), addressMatch: isMatch('ADDRESS'), subjects };
}

async function screenSubject(
  screener: SubjectScreener,
  { tenantId, sealed }: TransactionRecord,
  subject: ScreenedSubject,
): Promise<Sanctions['subjects'][number]> {
  const { role } = subject;
  if (subject.kind === 'NAME' && !isScreenable(subject.body)) return { role, screening: null };
  const prepared = await screener.prepare({ tenantId, askedBy: SERVICE, subject });
  const isHidden = sealed && subject.kind === 'NAME';
  if (prepared.screening.totalMatches > 0 && !isHidden) await screener.store(prepared);
  return { role, screening: prepared.screening };
}
