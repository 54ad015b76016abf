import type { SubjectIdentifier } from '../sanctions/equal-identifier.ts';
import type { SanctionsSearchBody } from './schema.ts';

type Kinds = SubjectIdentifier['kinds'];

/** The listed kinds that an identifier type of IVMS101 may be. Lists call some numbers only "other". */
const KINDS_OF_TYPE: Record<NonNullable<SanctionsSearchBody['nationalIdentificatorType']>, Kinds> = {
  CCPT: ['passport', 'other'],
  IDCD: ['national', 'other'],
  SOCS: ['national', 'other'],
  ARNU: ['national', 'other'],
  FIIN: ['national', 'registration', 'other'],
  DRLC: ['national', 'other'],
  TXID: ['tax', 'other'],
  RAID: ['registration', 'other'],
  LEIX: ['lei', 'other'],
  MISC: ['passport', 'national', 'tax', 'registration', 'other'],
};
/** Types of which only a natural, or only a legal person has a number. */
const HOLDERS: Partial<Record<keyof typeof KINDS_OF_TYPE, SubjectIdentifier['holder']>> = {
  CCPT: 'NATURAL',
  IDCD: 'NATURAL',
  SOCS: 'NATURAL',
  ARNU: 'NATURAL',
  DRLC: 'NATURAL',
  RAID: 'LEGAL',
  LEIX: 'LEGAL',
};
const OF_PERSONS: Kinds = ['passport', 'national', 'tax', 'other'];
const OF_ORGANISATIONS: Kinds = ['national', 'tax', 'registration', 'other'];
const OF_REGISTERS: Kinds = ['registration', 'tax', 'other'];
const OF_LEIS: Kinds = ['lei', 'other'];

/**
 * The subject's identifiers with what is known of their kinds, countries and holder. A subject without type is compared with
 * persons and all others, but a register's number not with a person's, nor a passport's with a company's.
 */
export function identifiersOf(body: SanctionsSearchBody): SubjectIdentifier[] {
  const { nationalIdentificator, nationalIdentificatorType, registrationNumber, lei } = body;
  const { identifierCountry, nationality, country } = body;
  const ofSubject = [nationality, country].filter((code) => code !== undefined);
  const issued = identifierCountry === undefined ? ofSubject : [identifierCountry];
  const holder = nationalIdentificatorType && HOLDERS[nationalIdentificatorType];
  const identifiers = [
    ...identifier(nationalIdentificator, {
      kinds: kindsOf(body),
      countries: issued,
      ...(holder && { holder }),
    }),
    ...identifier(registrationNumber, { kinds: OF_REGISTERS, countries: ofSubject, holder: 'LEGAL' }),
    ...identifier(lei, { kinds: OF_LEIS, countries: [], holder: 'LEGAL' }),
  ];
  return body.type === undefined ? identifiers : identifiers.map(ofKnownHolder);
}

function identifier(value: string | undefined, known: Omit<SubjectIdentifier, 'value'>): SubjectIdentifier[] {
  return value === undefined ? [] : [{ value, ...known }];
}

/** The type of the subject says whose the number is, even one of a sole trader in a register. */
function ofKnownHolder({ value, kinds, countries }: SubjectIdentifier): SubjectIdentifier {
  return { value, kinds, countries };
}

function kindsOf({ type, nationalIdentificatorType }: SanctionsSearchBody): Kinds {
  if (nationalIdentificatorType !== undefined) return KINDS_OF_TYPE[nationalIdentificatorType];
  if (type === 'NATURAL') return OF_PERSONS;
  return type === 'LEGAL' ? OF_ORGANISATIONS : [...OF_PERSONS, ...OF_ORGANISATIONS];
}
