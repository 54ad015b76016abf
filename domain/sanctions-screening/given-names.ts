import { searchWords } from '../fold.ts';
import type { SanctionsSearchBody } from './schema.ts';

type NameFields = Pick<SanctionsSearchBody, 'name' | 'firstName' | 'lastName'>;

/** What forms and other systems write where a name is not known: "first name unknown", "no middle name". */
const PLACEHOLDERS = new Set(['n a', 'unknown', 'fnu', 'lnu', 'mnu', 'nfn', 'nln', 'nmn']);
const LETTERS_X = /^x{2,}$/;
/** Further names in one field. "A/S" and "t/a" have no long words around the slash. */
const OTHERWISE_CALLED =
  /(?<![\p{L}\p{N}])(?:a\.?k\.?a\.?|f\.?k\.?a\.?|d\.?b\.?a\.?|t\/a|c\/o|m\/s\.?)(?![\p{L}\p{N}])/giu;
const APART = /[;()[\]]|(?<=\p{L}{3}[\s.]*)\/(?=\s*\p{L}{3})/u;
const MAX_OTHER_NAMES = 8;

/** The name, first and last name without placeholders; as they are given if all of them are placeholders. */
export function knownNames({ name, firstName, lastName }: NameFields): NameFields {
  const known: NameFields = {
    ...(isName(name) && { name }),
    ...(isName(firstName) && { firstName }),
    ...(isName(lastName) && { lastName }),
  };
  return Object.keys(known).length > 0 ? known : { name, firstName, lastName };
}

function isName(text: string | undefined): text is string {
  if (text === undefined) return false;
  const words = searchWords(text).join(' ');
  return words !== '' && !PLACEHOLDERS.has(words) && !LETTERS_X.test(words);
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

/**
 * The names that are written in one field, such as "A. Keller a.k.a. Anna Huber" or "A. Keller (Anna Huber)"; at most 8.
 * A single word counts after "a.k.a." and the like only: half the world is called Kim.
 */
export function namesWithin(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(namesIn))].slice(0, MAX_OTHER_NAMES);
}

function namesIn(text: string): string[] {
  const called = text.split(OTHERWISE_CALLED);
  const apart = called.flatMap((one) => one.split(APART)).filter((one) => searchWords(one).length > 1);
  const others = called.length > 1 ? [...called, ...apart] : apart;
  return others.map((one) => one.trim()).filter((one) => one !== '' && one !== text.trim());
}
