import { invalidField } from '../errors.ts';
import { foldName } from '../fold.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { identifierKey } from '../sanctions/sanctions-index.ts';
import type { SanctionsQuery } from '../sanctions/search.ts';
import type { SanctionsSearchBody } from './schema.ts';

/** The name as a person would write it on the screening. */
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

/** What the engine is asked. Only what is there counts: an absent date says nothing. */
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

/** Whether the subject's name can be compared at all; one of signs alone cannot. */
export function isScreenable(body: SanctionsSearchBody): boolean {
  return isSearchable(screenedName(body));
}

/** Whether the engine finds a letter or a digit in it that it can compare. */
function isSearchable(name: string): boolean {
  // These are read as they are, in whatever name; other letters may come to nothing.
  if (/[a-z0-9]/i.test(name)) return true;
  return nameParts(name, 'person').length > 0 || nameParts(name, 'organisation').length > 0;
}

/**
 * Refuses what would be screened in vain: a name of signs alone must not be answered with "not sanctioned". `today` is
 * YYYY-MM-DD in UTC. Throws validation_failed.
 */
export function requireScreenable(body: SanctionsSearchBody, today: string): void {
  const { name, firstName, lastName, aliases = [] } = body;
  requireLetters('/name', name);
  if (name === undefined) requireLetters('/lastName', `${firstName} ${lastName}`);
  aliases.forEach((alias, place) => requireLetters(`/aliases/${place}`, alias));
  if (body.dateOfBirth !== undefined && body.dateOfBirth > today) {
    throw invalidField('/dateOfBirth', 'date_in_future', 'A date in the past is expected.');
  }
}

function requireLetters(pointer: string, name: string | undefined): void {
  if (name === undefined || isSearchable(name)) return;
  throw invalidField(pointer, 'not_searchable', 'A name with letters or digits is expected.');
}

/**
 * Who is meant, in one text: the same for two requests that mean the same subject. What was once called a false
 * positive is only so for this subject.
 */
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
