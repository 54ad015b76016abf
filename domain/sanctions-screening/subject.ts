import { invalidField, type DomainError } from '../errors.ts';
import { foldName } from '../fold.ts';
import { identifierKey } from '../sanctions/equal-identifier.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import type { SanctionsQuery } from '../sanctions/search.ts';
import type { SanctionsSearchBody } from './schema.ts';
import { identifiersOf, identifierValues } from './subject-identifiers.ts';

/** The name of the subject, as shown in the screening: the first that can be compared. */
export function screenedName(body: SanctionsSearchBody): string {
  const names = givenNames(body);
  return (names.find(isSearchable) ?? names[0] ?? '').trim();
}

/** The names of the subject as they are given. */
function givenNames(body: SanctionsSearchBody): string[] {
  const { name, firstName, lastName, aliases = [] } = body;
  const whole = firstName !== undefined && lastName !== undefined ? [`${firstName} ${lastName}`] : [];
  return [...(name === undefined ? [] : [name]), ...whole, ...loneNames(body), ...aliases];
}

/** A first or last name without the other, unless the whole name contains it. */
function loneNames({ name, firstName, lastName }: SanctionsSearchBody): string[] {
  if (firstName !== undefined && lastName !== undefined) return [];
  const lone = firstName ?? lastName;
  return lone === undefined || isPartOf(lone, name ?? '') ? [] : [lone];
}

function isPartOf(part: string, name: string): boolean {
  const words = foldName(name).split(' ');
  return foldName(part)
    .split(' ')
    .every((word) => words.includes(word));
}

/**
 * The names to compare: first and last name in both orders, since joined names are compared in order, and a lone first
 * or last name also together with the name beside it.
 */
function comparedNames(body: SanctionsSearchBody): string[] {
  const { name, firstName, lastName } = body;
  const swapped = firstName !== undefined && lastName !== undefined ? [`${lastName} ${firstName}`] : [];
  const joined = loneNames(body).flatMap((lone) => {
    if (name === undefined) return [];
    return firstName === undefined ? [`${name} ${lone}`] : [`${lone} ${name}`];
  });
  return [...swapped, ...joined, ...givenNames(body)].filter(isSearchable);
}

function countriesOf({ nationality, country }: SanctionsSearchBody): string[] {
  return [...new Set([nationality, country].filter((code) => code !== undefined))];
}

/** The query for the engine. Absent fields are left out and have no effect. */
export function queryOf(body: SanctionsSearchBody): SanctionsQuery {
  const { type, dateOfBirth, gender } = body;
  return {
    ...(type && { type }),
    names: comparedNames(body),
    identifiers: identifiersOf(body),
    countries: countriesOf(body),
    ...(dateOfBirth !== undefined && { birthDate: dateOfBirth }),
    ...(gender === 'MALE' && { gender: 'male' as const }),
    ...(gender === 'FEMALE' && { gender: 'female' as const }),
  };
}

/** Whether a name of the subject can be compared; a name of symbols alone cannot. */
export function isScreenable(body: SanctionsSearchBody): boolean {
  return givenNames(body).some(isSearchable);
}

/** Whether the name has a letter or digit that the engine can compare. */
function isSearchable(name: string): boolean {
  // These characters are always read; other letters may be dropped.
  if (/[a-z0-9]/i.test(name)) return true;
  return nameParts(name, 'person').length > 0 || nameParts(name, 'organisation').length > 0;
}

/**
 * Throws validation_failed for a subject that cannot be screened: names of symbols alone must not be reported as "not
 * sanctioned". `today` is YYYY-MM-DD in UTC.
 */
export function requireScreenable(body: SanctionsSearchBody, today: string): void {
  const { name, aliases = [] } = body;
  if (!isScreenable(body)) throw notSearchable(name === undefined ? '/lastName' : '/name');
  aliases.forEach((alias, index) => requireLetters(`/aliases/${index}`, alias));
  if (body.dateOfBirth !== undefined && body.dateOfBirth > today) {
    throw invalidField('/dateOfBirth', 'date_in_future', 'A date in the past is expected.');
  }
}

function requireLetters(pointer: string, name: string): void {
  if (!isSearchable(name)) throw notSearchable(pointer);
}

function notSearchable(pointer: string): DomainError {
  return invalidField(pointer, 'not_searchable', 'A name with letters or digits is expected.');
}

/** A canonical text of the subject's identity, equal for equal subjects. False positives are stored by subject. */
export function identityText(body: SanctionsSearchBody): string {
  const { type = null, dateOfBirth = null, gender = null } = body;
  return JSON.stringify([
    type,
    [...new Set(givenNames(body).map(foldName))].sort(),
    dateOfBirth,
    gender,
    countriesOf(body).sort(),
    identifierValues(body).map(identifierKey).sort(),
  ]);
}
