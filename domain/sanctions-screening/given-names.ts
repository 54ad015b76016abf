import { searchWords } from '../fold.ts';
import { isOffice } from '../sanctions/additions.ts';
import { hasLegalForm } from './firm-names.ts';
import { kindOfText } from './placeholders.ts';
import { isWholeName } from './whole-name.ts';
import type { SanctionsSearchBody } from './schema.ts';

type NameFields = Pick<SanctionsSearchBody, 'name' | 'firstName' | 'lastName'>;

/**
 * The name, first and last name without placeholders; as they are given if all of them are placeholders. With `onlyNames`
 * also without words such as "Null", which may be names.
 */
export function knownNames(fields: NameFields, { onlyNames = false } = {}): NameFields {
  const isKnown = (text: string | undefined) => text !== undefined && isName(text, { onlyNames });
  const { name, firstName, lastName } = fields;
  const known: NameFields = {
    ...(isKnown(name) && { name }),
    ...(isKnown(firstName) && { firstName }),
    ...(isKnown(lastName) && { lastName }),
  };
  return Object.keys(known).length > 0 ? known : { name, firstName, lastName };
}

function isName(text: string, { onlyNames }: { onlyNames: boolean }): boolean {
  const kind = kindOfText(text);
  return kind === 'NAME' || (kind === 'PERHAPS_NAME' && !onlyNames);
}

const HAN = /^\p{sc=Han}{1,3}$/u;

/**
 * First, last and whole name as they are given: the whole one, first and last, and one of these that stands alone. Both orders of first
 * and last in Han, which lists write in one word.
 */
export function wholeNames(fields: NameFields): string[] {
  const { name, firstName, lastName } = fields;
  const isPair = firstName !== undefined && lastName !== undefined;
  return [
    ...(name === undefined ? [] : [name]),
    ...(isPair ? [`${firstName} ${lastName}`] : namesBeside(fields)),
    ...(isPair && HAN.test(firstName) && HAN.test(lastName) ? [`${lastName} ${firstName}`] : []),
  ];
}

/** From so many words on, a first or a last name may be a whole one: "Nicolas Maduro Moros". */
const WHOLE_NAME_WORDS = 3;

/**
 * First and last name that may each be the whole name of somebody. Put together with a long other one, a listed person among
 * them would lack half of the words.
 */
export function longNames({ firstName, lastName }: NameFields): string[] {
  return [firstName, lastName]
    .filter((part) => part !== undefined)
    .filter((part) => searchWords(part).length >= WHOLE_NAME_WORDS);
}

/** The firms among first and last name, such as "Huber AG": put together with the other name, they would have a word too many. */
export function firmNames({ firstName, lastName }: NameFields): string[] {
  if (firstName === undefined || lastName === undefined) return [];
  return [firstName, lastName].filter((part) => isWholeName(part) && hasLegalForm(part));
}

/** First and last name, unless the whole name contains them. */
function namesBeside({ name = '', firstName, lastName }: NameFields): string[] {
  return [firstName, lastName].filter((part) => part !== undefined).filter((part) => !isPartOf(part, name));
}

function isPartOf(part: string, name: string): boolean {
  const words = searchWords(name);
  return searchWords(part).every((word) => words.includes(word));
}

/** The given names put together: any two of them in both orders, since joined names are compared in order, and all. */
export function joinedNames(fields: NameFields): string[] {
  const { name, firstName, lastName } = fields;
  const isPair = firstName !== undefined && lastName !== undefined;
  // In front, a last name such as King or Shaikh would be a title, and the first names alone those of somebody else.
  const swapped = isPair && !isOffice(lastName) ? [`${lastName} ${firstName}`] : [];
  if (name === undefined) return swapped;
  const beside = namesBeside(fields);
  const pairs = beside.flatMap((part) => [`${part} ${name}`, `${name} ${part}`]);
  const all = beside.length > 1 ? [`${beside.join(' ')} ${name}`, `${name} ${beside.join(' ')}`] : [];
  return [...swapped, ...pairs, ...all];
}
