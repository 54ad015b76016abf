import { invalidField } from '../errors.ts';
import { foldName } from '../fold.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { identifierKey } from '../sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../sanctions/search.ts';
import type { SanctionsSearchBody } from './schema.ts';

/** The name of the subject, as shown in the screening. */
export function screenedName({ name, firstName, lastName }: SanctionsSearchBody): string {
  return (name ?? `${firstName} ${lastName}`).trim();
}

function namesOf(body: SanctionsSearchBody): string[] {
  const { name, firstName, lastName, aliases = [] } = body;
  const split = firstName !== undefined && lastName !== undefined ? [`${firstName} ${lastName}`] : [];
  return [...(name === undefined ? [] : [name]), ...split, ...aliases];
}

function identifiersOf({ nationalIdentificator, registrationNumber, lei }: SanctionsSearchBody): string[] {
  return [nationalIdentificator, registrationNumber, lei].filter((value) => value !== undefined);
}

function countriesOf({ nationality, country }: SanctionsSearchBody): string[] {
  return [...new Set([nationality, country].filter((code) => code !== undefined))];
}

/** The query for the engine. Absent fields are left out and have no effect. */
export function queryOf(body: SanctionsSearchBody): SanctionsQuery {
  const { type, dateOfBirth, gender } = body;
  return {
    ...(type && { type }),
    names: namesOf(body),
    identifiers: identifiersOf(body),
    countries: countriesOf(body),
    ...(dateOfBirth !== undefined && { birthDate: dateOfBirth }),
    ...(gender === 'MALE' && { gender: 'male' as const }),
    ...(gender === 'FEMALE' && { gender: 'female' as const }),
  };
}

/** Whether the subject's name can be compared; a name of symbols alone cannot. */
export function isScreenable(body: SanctionsSearchBody): boolean {
  return isSearchable(screenedName(body));
}

/** Whether the name has a letter or digit that the engine can compare. */
function isSearchable(name: string): boolean {
  // These characters are always read; other letters may be dropped.
  if (/[a-z0-9]/i.test(name)) return true;
  return nameParts(name, 'person').length > 0 || nameParts(name, 'organisation').length > 0;
}

/**
 * Throws validation_failed for a subject that cannot be screened: a name of symbols alone must not be reported as "not
 * sanctioned". `today` is YYYY-MM-DD in UTC.
 */
export function requireScreenable(body: SanctionsSearchBody, today: string): void {
  const { name, firstName, lastName, aliases = [] } = body;
  requireLetters('/name', name);
  if (name === undefined) requireLetters('/lastName', `${firstName} ${lastName}`);
  aliases.forEach((alias, index) => requireLetters(`/aliases/${index}`, alias));
  if (body.dateOfBirth !== undefined && body.dateOfBirth > today) {
    throw invalidField('/dateOfBirth', 'date_in_future', 'A date in the past is expected.');
  }
}

function requireLetters(pointer: string, name: string | undefined): void {
  if (name === undefined || isSearchable(name)) return;
  throw invalidField(pointer, 'not_searchable', 'A name with letters or digits is expected.');
}

/** A canonical text of the subject's identity, equal for equal subjects. False positives are stored by subject. */
export function identityText(body: SanctionsSearchBody): string {
  const { type = null, dateOfBirth = null, gender = null } = body;
  return JSON.stringify([
    type,
    [...new Set(namesOf(body).map(foldName))].sort(),
    dateOfBirth,
    gender,
    countriesOf(body).sort(),
    identifiersOf(body).map(identifierKey).sort(),
  ]);
}
