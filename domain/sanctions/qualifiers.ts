import type { ListEntry } from './list-entry.ts';

type QualifierKind = 'birth_date' | 'country' | 'gender' | 'identifier';

/** Evidence besides the name for or against a match; `effect` is added to the score. */
export interface MatchQualifier {
  kind: QualifierKind;
  outcome: 'equal' | 'near' | 'different';
  query: string;
  listed: string;
  effect: number;
}

/** Data about the subject besides its name. */
export interface SubjectParticulars {
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`. */
  birthDate?: string;
  gender?: 'male' | 'female';
  /** ISO 3166-1 alpha-2 codes. */
  countries?: readonly string[];
}

const SAME_DAY = 0.05;
const SAME_YEAR = 0.02;
const OTHER_DAY = -0.1;
const DAY_AND_MONTH_SWAPPED = 0;
const OTHER_YEAR = -0.15;
const NEAR_YEAR = -0.05;
const OTHER_COUNTRY = -0.05;
const SAME_COUNTRY = 0.02;
const OTHER_GENDER = -0.2;

/**
 * Compares the particulars with an entry; data that one side lacks has no effect, nor has a date of birth or a gender where
 * the entry is no person.
 */
export function qualify(particulars: SubjectParticulars, entry: ListEntry): MatchQualifier[] {
  return [birthDate(particulars, entry), gender(particulars, entry), country(particulars, entry)].filter(
    (qualifier) => qualifier !== undefined,
  );
}

function birthDate({ birthDate: date }: SubjectParticulars, entry: ListEntry): MatchQualifier | undefined {
  if (date === undefined || entry.type !== 'person' || entry.birthDates.length === 0) return undefined;
  const judged = entry.birthDates.map((listed) => ({ listed, ...judgeDate(date, listed) }));
  const best = judged.reduce((left, right) => (right.effect > left.effect ? right : left));
  return { kind: 'birth_date', query: date, ...best };
}

type QualifierJudgement = Pick<MatchQualifier, 'outcome' | 'effect'>;

function judgeDate(date: string, listed: string): QualifierJudgement {
  const plain = listed.replace(/^~/, '');
  const [from = '', to = from] = plain.split('/').map((end) => end.slice(0, 4));
  const year = Number(date.slice(0, 4));
  const distance = Math.max(Number(from) - year, year - Number(to), 0);
  if (distance > 0) return judgeYears(distance, listed);
  if (plain.includes('/') || date.length < 10 || plain.length < 10)
    return { outcome: 'equal', effect: SAME_YEAR };
  return judgeDay(date, plain);
}

/** Judges birth years. An approximate date or an adjacent year is no contradiction: lists often guess birth years. */
function judgeYears(distance: number, listed: string): QualifierJudgement {
  const isApproximate = listed.startsWith('~');
  if (distance <= (isApproximate ? 5 : 1)) return { outcome: 'near', effect: isApproximate ? 0 : NEAR_YEAR };
  return { outcome: 'different', effect: OTHER_YEAR };
}

function judgeDay(date: string, listed: string): QualifierJudgement {
  if (date === listed) return { outcome: 'equal', effect: SAME_DAY };
  const swapped = `${date.slice(0, 5)}${date.slice(8, 10)}-${date.slice(5, 7)}`;
  if (swapped === listed) return { outcome: 'near', effect: DAY_AND_MONTH_SWAPPED };
  return { outcome: 'different', effect: OTHER_DAY };
}

function gender({ gender: given }: SubjectParticulars, entry: ListEntry): MatchQualifier | undefined {
  if (given === undefined || entry.type !== 'person' || entry.gender === undefined) return undefined;
  const equal = given === entry.gender;
  const judged: QualifierJudgement = equal
    ? { outcome: 'equal', effect: 0 }
    : { outcome: 'different', effect: OTHER_GENDER };
  return { kind: 'gender', query: given, listed: entry.gender, ...judged };
}

function country({ countries = [] }: SubjectParticulars, entry: ListEntry): MatchQualifier | undefined {
  if (countries.length === 0 || entry.countries.length === 0) return undefined;
  const shared = countries.some((code) => entry.countries.includes(code));
  const judged: QualifierJudgement = shared
    ? { outcome: 'equal', effect: SAME_COUNTRY }
    : { outcome: 'different', effect: OTHER_COUNTRY };
  return { kind: 'country', query: countries.join(','), listed: entry.countries.join(','), ...judged };
}
