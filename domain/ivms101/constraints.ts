import type { FieldError } from '../errors.ts';
import { isLei } from '../lei.ts';
import {
  LEGAL_IDENTIFIER_TYPES,
  type IvmsAddress,
  type IvmsIdentification,
  type IvmsPerson,
} from './person.ts';

const MESSAGES = {
  c1: 'An originator who is a natural person has an address, a customer number, a national identifier, or date and place of birth.',
  c4: 'An originator that is a legal person has an address, a customer number or a national identifier.',
  c5: 'A legal person has a name of type LEGL.',
  c6: 'A natural person has a name of type LEGL.',
  c7: 'The identifier of a legal person is of type RAID, MISC, LEIX or TXID.',
  c8: 'An address has address lines, or a street and the number or name of a building.',
  c9: 'The identifier of a legal person has a registration authority unless it is of type LEIX, and no country of issue.',
  c11: 'An identifier of type LEIX is a Legal Entity Identifier with a valid checksum.',
  c12: 'The sequence of the transfer path begins with 0 and has no gaps.',
} as const;

/** The warning that a payload breaks a constraint of the standard. Strict readers refuse such a payload. */
export function constraintWarning(pointer: string, constraint: keyof typeof MESSAGES): FieldError {
  const number = constraint.slice(1);
  return {
    pointer,
    code: `ivms101_${constraint}`,
    message: `${MESSAGES[constraint]} (IVMS101, constraint C${number})`,
  };
}

/**
 * The constraints that a person breaks. C2 (birth date in the past) and C3 (country) are faults of a payload, and C10
 * (the registration authority is on GLEIF's list) is not checked.
 */
export function brokenConstraints(
  person: IvmsPerson,
  { isOriginator }: { isOriginator: boolean },
): FieldError[] {
  const broken: FieldError[] = [];
  if (isOriginator && !isIdentified(person)) {
    broken.push(constraintWarning(person.at, person.kind === 'NATURAL' ? 'c1' : 'c4'));
  }
  if (!person.names.latin.some(({ type }) => type === 'LEGL')) {
    broken.push(constraintWarning(person.at, person.kind === 'NATURAL' ? 'c6' : 'c5'));
  }
  broken.push(
    ...person.addresses.filter(lacksPlace).map(({ at }) => constraintWarning(at, 'c8')),
    ...(person.kind === 'LEGAL' && person.identification
      ? brokenByLegalIdentifier(person.identification)
      : []),
  );
  return broken;
}

function isIdentified({ kind, addresses, customer, identification, birth }: IvmsPerson): boolean {
  const known = addresses.length > 0 || customer !== undefined || identification !== undefined;
  return known || (kind === 'NATURAL' && birth !== undefined);
}

function lacksPlace({ lines, texts }: IvmsAddress): boolean {
  const { streetName, buildingNumber, buildingName } = texts;
  return lines.length === 0 && !(streetName && (buildingNumber ?? buildingName));
}

function brokenByLegalIdentifier(identification: IvmsIdentification): FieldError[] {
  const { at, number, type, country, authority } = identification;
  const isUnusual = type === undefined || !LEGAL_IDENTIFIER_TYPES.includes(type);
  const isOfNobody = (type === 'LEIX') === (authority !== undefined) || country !== undefined;
  return [
    ...(isUnusual ? [constraintWarning(at, 'c7')] : []),
    ...(isOfNobody ? [constraintWarning(at, 'c9')] : []),
    ...(type === 'LEIX' && !isLei(number?.toUpperCase() ?? '') ? [constraintWarning(at, 'c11')] : []),
  ];
}
