import { nameKind } from '../sanctions-screening/subject.ts';
import { comparing } from '../sanctions/compare-parts.ts';
import type { EntryType } from '../sanctions/list-entry.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { scoreName } from '../sanctions/score-name.ts';
import { foldName } from '../fold.ts';
import type { Party } from '../parties/party.ts';
import type { TransactionRecord } from './record.ts';

/** MATCH: the same name, in any order or script. CLOSE: spelled nearly like it, with an initial or another first name. */
export const BENEFICIARY_MATCHES = ['MATCH', 'CLOSE', 'MISMATCH'] as const;
export type BeneficiaryMatch = (typeof BENEFICIARY_MATCHES)[number];

/** The similarities of the screening's matcher from which on names are the same, or nearly. */
const SAME = 0.97;
const LIKE = 0.85;

/** The wallet whose holder a message is for; null on the sender's side, and where there is nobody to compare. */
export function holderWalletOf(record: TransactionRecord): number | null {
  const { direction, sealed, destinationWalletId } = record;
  const isCompared = direction === 'INCOMING' && !sealed && namesOf(sentBeneficiary(record)).length > 0;
  return isCompared ? destinationWalletId : null;
}

/** How the beneficiary that the originator VASP names fits the holder of the destination; null where either is unknown. */
export function beneficiaryMatchOf(
  record: TransactionRecord,
  holderName: string | undefined,
): BeneficiaryMatch | null {
  if (holderName === undefined || holderWalletOf(record) === null) return null;
  const beneficiary = sentBeneficiary(record);
  // If the names give different results, the worst one counts.
  const likeness = Math.min(...namesOf(beneficiary).map((name) => likenessOf(name, holderName, beneficiary)));
  if (likeness >= SAME) return 'MATCH';
  return likeness >= LIKE ? 'CLOSE' : 'MISMATCH';
}

/**
 * Whether two VASPs name one person: in any order or script, or in part. Also where either of them names nobody. Of the names
 * that `other` gives the least fitting one counts.
 */
export function haveOneName(own: Party, other: Party): boolean {
  const [names, others] = [namesOf(own), namesOf(other)];
  if (names.length === 0) return true;
  if (others.length === 0) return partsOf(other).every((part) => names.some((name) => isPartOf(part, name)));
  return others.every((name) => names.some((each) => likenessOf(name, each, own) >= SAME));
}

function partsOf({ firstName, lastName }: Party): string[] {
  const parts = [firstName, lastName].filter((part) => part !== undefined);
  return parts.filter((part) => nameKind(part) === 'NAME');
}

function isPartOf(part: string, name: string): boolean {
  const words = new Set(foldName(name).split(' '));
  return foldName(part)
    .split(' ')
    .every((word) => words.has(word));
}

/** The beneficiary to compare: where the tenant has a record of its own, the one of the message. */
function sentBeneficiary({ personal }: TransactionRecord): Party | null {
  const { received } = personal;
  return (received?.takenBackAt === null ? received.beneficiary : null) ?? personal.beneficiary;
}

/** The whole names of a party, without placeholders. */
function namesOf(party: Party | null): string[] {
  const { name, firstName, lastName } = party ?? {};
  const names = [name, firstName && lastName && `${firstName} ${lastName}`];
  return names.filter((each) => each !== undefined).filter((each) => nameKind(each) === 'NAME');
}

function likenessOf(name: string, holderName: string, party: Party | null): number {
  const types: EntryType[] = party?.type === 'LEGAL' ? ['organisation'] : ['person'];
  if (party?.type === undefined) types.push('organisation');
  const pairs = [
    [name, holderName],
    [holderName, name],
  ] as const;
  return Math.max(...types.flatMap((type) => pairs.map(([one, other]) => scoreOf(one, other, type))));
}

function scoreOf(one: string, other: string, type: EntryType): number {
  const parts = nameParts(one, type);
  return scoreName(parts, nameParts(other, type), comparing(parts), type).score;
}
