import { invalidField, type DomainError } from '../errors.ts';
import { foldName } from '../fold.ts';
import { identifierKey } from '../sanctions/equal-identifier.ts';
import { splitWords } from '../sanctions/letters/fold-word.ts';
import { latinLookAlike } from '../sanctions/letters/look-alikes.ts';
import { isTooLong, nameParts } from '../sanctions/name-parts.ts';
import type { SanctionsQuery } from '../sanctions/sanctions-query.ts';
import { MAX_PERSONS, MAX_QUERY_NAMES, MAX_SEGMENTS } from '../sanctions/search.ts';
import { couplesWithin } from './couples.ts';
import { namesOfFields } from './field-labels.ts';
import { firmsWithin } from './firms-within.ts';
import { firmNames, joinedNames, knownNames, longNames, wholeNames } from './given-names.ts';
import { joinsApart } from './glued-joins.ts';
import { SEPARATOR } from './name-separators.ts';
import { isOneName } from './one-name.ts';
import { introducedWithin, namesAcross, namesWithin, personsWithin, segmentsWithin } from './names-within.ts';
import { plainText } from './plain-text.ts';
import { kindOfText, withoutPlaceholders, type NameKind } from './placeholders.ts';
import type { SanctionsSearchBody } from './schema.ts';
import { identifiersOf } from './subject-identifiers.ts';

/** The letters that are shown from right to left: those after this sign, to the end of what it turns. */
const RIGHT_TO_LEFT = /\u202e([^\u202c\r\n]*)\u202c?/gu;
/** Zero width space, the Hangul fillers and the empty Braille pattern, which are shown as nothing or a blank. */
const BLANK = /[\u200b\u2800\u3164\uffa0]/u;
const BLANKS = new RegExp(BLANK, 'gu');

/** The name of the subject, as shown in the screening: the first that can be compared. */
export function screenedName(body: SanctionsSearchBody): string {
  const names = givenNames(body);
  return (names.find(isSearchable) ?? names[0] ?? '').trim();
}

/** The names of the subject as they are given, without placeholders. */
function givenNames(body: SanctionsSearchBody): string[] {
  return [...wholeNames(knownNames(body)), ...(body.aliases ?? [])];
}

/** The names to compare, as they are given and, where it is another, in the order in which they are shown. */
function comparedNames(body: SanctionsSearchBody): string[] {
  const names = namesOf(body);
  const shown = asShown(body);
  return shown === undefined ? names : [...new Set([...names, ...namesOf(shown)])];
}

/** The subject with its names in the order in which they are shown; undefined if that is how they are given. */
function asShown(body: SanctionsSearchBody): SanctionsSearchBody | undefined {
  const { name, firstName, lastName, aliases } = body;
  if (![name, firstName, lastName, ...(aliases ?? [])].some((text) => text?.includes('\u202e')))
    return undefined;
  return {
    ...body,
    name: name && shownText(name),
    firstName: firstName && shownText(firstName),
    lastName: lastName && shownText(lastName),
    aliases: aliases?.map(shownText),
  };
}

function shownText(text: string): string {
  return text.replace(RIGHT_TO_LEFT, (_, turned: string) => Array.from(turned).toReversed().join(''));
}

/** Given names put together, the given ones, those within them, and all without placeholders. */
function namesOf(body: SanctionsSearchBody): string[] {
  const aliases = body.aliases ?? [];
  const fields = [knownNames(body), knownNames(body, { onlyNames: true })] as const;
  const together = fields.flatMap((known) => [...joinedNames(known), ...wholeNames(known)]);
  const mixed = [...new Set([...fields.flatMap(wholeNames), ...aliases])].filter((text) => !isOneName(text));
  const within = namesWithinThese([...mixed.flatMap(withBlanks), ...mixed.flatMap(joinsApart)]);
  const { firstName, lastName } = fields[0];
  const across = firstName !== undefined && lastName !== undefined ? namesAcross(firstName, lastName) : [];
  const labelled = namesOfFields([...mixed, ...within]);
  const names = [...together, ...within, ...across, ...aliases, ...labelled];
  const readings = [...names, ...names.map(withoutPlaceholders), ...names.flatMap(lookAlikes)];
  return [...new Set(readings)].filter(isSearchable);
}

/** The names that are written in these, and in those: "Eva Huber c/o Anna Keller, Peter Miller" has words and signs that part names. */
function namesWithinThese(names: readonly string[]): string[] {
  const within = namesWithin(names);
  return [...new Set([...within, ...namesWithin(within)])];
}

/** The name as it looks: in Latin letters, and with the blanks that have no width. */
function lookAlikes(name: string): string[] {
  const latin = latinLookAlike(name);
  return [...(latin === undefined ? [] : [latin]), ...withBlanks(name).slice(1)];
}

/** The name, and with the blanks that have no width as blanks. */
function withBlanks(name: string): string[] {
  return BLANK.test(name) ? [name, name.replace(BLANKS, ' ')] : [name];
}

function countriesOf({ nationality, country }: SanctionsSearchBody): string[] {
  return [...new Set([nationality, country].filter((code) => code !== undefined))];
}

/** The query for the engine. Absent fields are left out and have no effect. */
export function queryOf(body: SanctionsSearchBody): SanctionsQuery {
  const { type, dateOfBirth, gender } = body;
  const known = knownNames(body);
  const mixed = [...wholeNames(known), ...(body.aliases ?? [])].filter((text) => !isOneName(text));
  const apart = [...mixed, ...mixed.flatMap(joinsApart)];
  const written = [...apart, ...namesWithin(apart)];
  const own = new Set(givenNames(body));
  const couples = couplesWithin(written);
  return {
    ...(type && { type }),
    names: comparedNames(body),
    segments: [...segmentsWithin(written), ...firmNames(known)],
    persons: [...personsWithin(written), ...longNames(known)],
    givenNames: couples.given.filter((name) => !own.has(name)),
    couples: couples.named,
    introduced: introducedWithin(written),
    firms: firmsWithin(written),
    identifiers: identifiersOf(body),
    countries: countriesOf(body),
    ...(dateOfBirth !== undefined && { birthDate: dateOfBirth }),
    ...(gender === 'MALE' && { gender: 'male' as const }),
    ...(gender === 'FEMALE' && { gender: 'female' as const }),
  };
}

/**
 * Whether the engine compares every name of the subject to its end. Who hides behind more words or names than it reads
 * must not count as clean.
 */
export function isReadWhole(body: SanctionsSearchBody, query: SanctionsQuery): boolean {
  const { names, segments = [], persons = [], couples = [], firms = [] } = query;
  const { introduced = { persons: [], firms: [] } } = query;
  const isUnread = givenNames(body).some((name) => isPartlyRead(withoutPlaceholders(name)));
  const isWithinLimits =
    names.length <= MAX_QUERY_NAMES &&
    segments.length <= MAX_SEGMENTS &&
    persons.length <= MAX_PERSONS &&
    couples.length <= MAX_PERSONS &&
    firms.length <= MAX_SEGMENTS &&
    introduced.persons.length + introduced.firms.length <= MAX_SEGMENTS;
  return isWithinLimits && !isUnread;
}

/** Whether a part of a long name is too long, or several are single words, which are compared only with the whole name. */
function isPartlyRead(name: string): boolean {
  const parts = plainText(name).split(SEPARATOR);
  const single = parts.filter((part) => splitWords(part).length === 1);
  return parts.some(isTooLong) || (single.length > 1 && isTooLong(name));
}

/** Whether the subject has something to compare: an identifier, or a name that is not of symbols alone. */
export function isScreenable(body: SanctionsSearchBody): boolean {
  return givenNames(body).some(isSearchable) || identifiersOf(body).length > 0;
}

/** Whether the subject has a name: a placeholder such as "-", "N/A" or "unknown" is none. */
export function isNamed(body: SanctionsSearchBody): boolean {
  return givenNames(body).some((name) => nameKind(name) === 'NAME');
}

/** Whether a text is a name; one without a letter or digit is a placeholder. */
export function nameKind(text: string): NameKind {
  return isSearchable(text) ? kindOfText(text) : 'PLACEHOLDER';
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
  if (!isNamed(body)) throw notSearchable(name === undefined ? '/lastName' : '/name');
  aliases.forEach((alias, index) => requireLetters(`/aliases/${index}`, alias));
  if (body.dateOfBirth !== undefined && body.dateOfBirth > today) {
    throw invalidField('/dateOfBirth', 'date_in_future', 'A date in the past is expected.');
  }
}

function requireLetters(pointer: string, name: string): void {
  if (!isSearchable(name)) throw notSearchable(pointer);
}

function notSearchable(pointer: string): DomainError {
  return invalidField(
    pointer,
    'not_searchable',
    'A name with letters or digits is expected, and no placeholder.',
  );
}

/**
 * A canonical text of the subject's identity. It has all that is compared, each name and identifier in its role, so that
 * a false positive, which is stored by subject, never hides another subject.
 */
export function identityText(body: SanctionsSearchBody): string {
  const { type = null, aliases = [], dateOfBirth = null, gender = null } = body;
  return JSON.stringify([
    type,
    [body.name, body.firstName, body.lastName].map((name) => (name === undefined ? null : foldName(name))),
    [...new Set(aliases.map(foldName))].sort(),
    dateOfBirth,
    gender,
    countriesOf(body).sort(),
    [body.nationalIdentificatorType ?? null, body.identifierCountry ?? null],
    identifiersOf(body).map(({ value, kinds }) => [identifierKey(value), kinds]),
  ]);
}
