import { searchWords } from '../fold.ts';
import { standingOf } from './placeholders.ts';
import type { SanctionsSearchBody } from './schema.ts';

type NameFields = Pick<SanctionsSearchBody, 'name' | 'firstName' | 'lastName'>;

/**
 * The name, first and last name without placeholders; as they are given if all of them are placeholders. With `onlyNames`
 * also without words such as "Null", which may be names.
 */
export function knownNames(fields: NameFields, { onlyNames = false } = {}): NameFields {
  const isKnown = (text: string | undefined) => text !== undefined && isName(text, onlyNames);
  const { name, firstName, lastName } = fields;
  const known: NameFields = {
    ...(isKnown(name) && { name }),
    ...(isKnown(firstName) && { firstName }),
    ...(isKnown(lastName) && { lastName }),
  };
  return Object.keys(known).length > 0 ? known : { name, firstName, lastName };
}

function isName(text: string, onlyNames: boolean): boolean {
  const standing = standingOf(text);
  return standing === 'NAME' || (standing === 'PERHAPS_NAME' && !onlyNames);
}

/** First, last and whole name as they are given: the whole one, first and last, and one of these that stands alone. */
export function wholeNames(fields: NameFields): string[] {
  const { name, firstName, lastName } = fields;
  const isPair = firstName !== undefined && lastName !== undefined;
  return [
    ...(name === undefined ? [] : [name]),
    ...(isPair ? [`${firstName} ${lastName}`] : namesBeside(fields)),
  ];
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
  const swapped = isPair ? [`${lastName} ${firstName}`] : [];
  if (name === undefined) return swapped;
  const beside = namesBeside(fields);
  const pairs = beside.flatMap((part) => [`${part} ${name}`, `${name} ${part}`]);
  const all = beside.length > 1 ? [`${beside.join(' ')} ${name}`, `${name} ${beside.join(' ')}`] : [];
  return [...swapped, ...pairs, ...all];
}
