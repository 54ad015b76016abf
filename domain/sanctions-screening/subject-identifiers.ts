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
const OF_PERSONS: Kinds = ['passport', 'national', 'tax', 'other'];
const OF_ORGANISATIONS: Kinds = ['national', 'tax', 'registration', 'other'];
const OF_REGISTERS: Kinds = ['registration', 'tax', 'other'];
const OF_LEIS: Kinds = ['lei', 'other'];

/** The subject's identifiers with what is known of their kinds and countries. */
export function identifiersOf(body: SanctionsSearchBody): SubjectIdentifier[] {
  const { nationalIdentificator, registrationNumber, lei, identifierCountry, nationality, country } = body;
  const ofSubject = [nationality, country].filter((code) => code !== undefined);
  const issued = identifierCountry === undefined ? ofSubject : [identifierCountry];
  return [
    ...identifier(nationalIdentificator, kindsOf(body), issued),
    ...identifier(registrationNumber, OF_REGISTERS, ofSubject),
    ...identifier(lei, OF_LEIS, []),
  ];
}

function identifier(value: string | undefined, kinds: Kinds, countries: string[]): SubjectIdentifier[] {
  return value === undefined ? [] : [{ value, kinds, countries }];
}

function kindsOf({ type, nationalIdentificatorType }: SanctionsSearchBody): Kinds {
  if (nationalIdentificatorType !== undefined) return KINDS_OF_TYPE[nationalIdentificatorType];
  if (type === 'NATURAL') return OF_PERSONS;
  return type === 'LEGAL' ? OF_ORGANISATIONS : [...OF_PERSONS, ...OF_ORGANISATIONS];
}
