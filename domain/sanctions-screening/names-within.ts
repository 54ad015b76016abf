import { foldWord, splitWords } from '../sanctions/letters/fold-word.ts';
import { MAX_PERSONS, MAX_QUERY_NAMES, MAX_SEGMENTS } from '../sanctions/search.ts';
import { withoutFormsOfAddress } from '../sanctions/forms-of-address.ts';
import { isPlace } from '../sanctions/places.ts';
import { beforeFirmWords, hasLegalForm, isFirm, isFirmName } from './firm-names.ts';
import {
  ASIDE,
  BIRTH_NAME,
  CALLED,
  FOR,
  JOINED,
  JOINED_FIRMS_PERHAPS,
  JOINED_PERHAPS,
  JOINED_WHOLE,
  LIST_MARK,
  RENAMED,
  SEPARATOR,
} from './name-separators.ts';
import { holdersIn, isFirmOfHolders, joinedFirms, perhapsHolders } from './joined-holders.ts';
import { namesByScript } from './names-by-script.ts';
import { plainText, trimmed } from './plain-text.ts';
import { aroundRoles, hasRole, withoutRoles } from './roles.ts';
import { isName, isWholeName, wordsOf } from './whole-name.ts';

/** One more than are compared, so that it shows when there are too many. */
const MAX_NAMES = MAX_QUERY_NAMES + 1;
/** The inner edge of a glued name such as "AnnaKeller". */
export const HUMP = /(?<=\p{Ll}{2})(?=\p{Lu}\p{Ll}{2})/u;
/** Titles that stand behind a name in Han, Kana or Hangul, mostly without a space. Some are names too, so that they count only there. */
export const GLUED_TITLE =
  /(?<=[\p{sc=Han}\p{sc=Katakana}ー]{2})\s?(?:大統領|会長|社長|先生|さん|氏|殿|女士|小姐|太太|夫人|博士|教授|主席|总统|總統|总理|總理|首相|主任|经理|經理|总经理|總經理|董事长|董事長|总裁|總裁|将军|將軍|部长|部長|老师|老師|同志|阁下|閣下|样|様)$|(?<=\p{sc=Hangul}{3})\s?(?:씨|님|위원장|대통령|회장|사장|대표|박사|교수|장관|총리|장군|의원|선생|귀하|동지)님?$/u;
/** Family and given name in Han with a blank between them. */
export const APART_IN_HAN = /^(\p{sc=Han}{1,3})\s+(\p{sc=Han}{1,3})$/u;
const COMMA = /[,،，]/u;
/** A name of ASCII letters in which no sign stands between others, but a comma after a family name of one word. */
const PLAIN_NAME = /^(?:[A-Za-z'-]+,)?[A-Za-z .'-]*$/;

/**
 * The names that are written in one field, such as "A. Keller a.k.a. Anna Huber", "Anna and Eva Keller" or "A. Keller (Anna
 * Huber)". A single word counts only after "a.k.a." and the like: half the world is called Kim.
 */
export function namesWithin(names: readonly string[]): string[] {
  return [...new Set(names.flatMap(namesIn))].filter(isReadable).slice(0, MAX_NAMES);
}

/**
 * Parts of names that may be names of their own: those between the commas of "Anna Huber, Eva Keller" and "Huber GmbH, Bern",
 * and the firms of "Huber Bau and Keller Shipping LLC". "Huber, Eva Anna" and "Oil and Gas Ltd" are one name.
 */
export function segmentsWithin(names: readonly string[]): string[] {
  const parts = names.flatMap(partsAround).map(trimmed);
  const segments = parts
    .flatMap((part) => [part, ...renamed(part)])
    .flatMap((part) => [...commaSegments(part), ...joinedFirms(part)]);
  return [...new Set(segments)].slice(0, MAX_SEGMENTS + 1);
}

/** The parts of a name between words such as "care of" and signs. */
export function partsAround(name: string): string[] {
  return plainText(name)
    .split(CALLED)
    .flatMap((one) => one.split(SEPARATOR));
}

/** Returns only the firm of "Huber AG, Bern"; "Huber Keller, Anna" is one person. */
function commaSegments(text: string): string[] {
  if (!COMMA.test(text)) return [];
  const segments = text.split(COMMA).map(trimmed);
  const holders = segments.flatMap((segment) =>
    isFirm(segment) ? segment : segment.split(JOINED).map(trimmed),
  );
  const whole = holders.filter(isWholeName);
  return whole.length > 1
    ? whole
    : segments.slice(0, 1).filter((segment) => isWholeName(segment) && isFirm(segment));
}

/**
 * Parts of names that may be those of persons: the holders of "Anna Huber & Eva Keller GmbH" and "Huber Trust and Eva Keller",
 * without words of firms, and what stands before the comma of "Eva Keller, Bern".
 */
export function personsWithin(names: readonly string[]): string[] {
  const joins = [JOINED, JOINED_FIRMS_PERHAPS];
  const several = names.filter(
    (name) => !PLAIN_NAME.test(name) || joins.some((join) => name.search(join) >= 0),
  );
  const parts = several.flatMap(partsAround);
  const persons = parts
    .map(trimmed)
    .flatMap((part) => [...holdersOfFirm(part), ...beforeComma(part)])
    .flatMap((person) => [person, ...joined(person), ...commaSegments(person)]);
  return [...new Set(persons)].slice(0, MAX_PERSONS + 1);
}

function holdersOfFirm(text: string): string[] {
  const holding = holdersIn(text);
  const perhaps = perhapsHolders(text).filter((part) => !isFirm(part));
  // A long text is looked through for words of firms only where it may have some.
  if (holding.length < 2 || !isFirm(text)) return perhaps;
  const holders = holding.flatMap((holder) => {
    const apart = commaSegments(holder);
    return apart.length > 1 ? apart : [holder];
  });
  return [...perhaps, ...namedHolders(holders.map(beforeFirmWords)).filter(isWholeName)];
}

/** What stands before the comma of "Eva Keller, Bern"; "Huber Keller, Eva" is a family name before a given one. */
function beforeComma(text: string): string[] {
  return holdersIn(text).flatMap((holding) => {
    const [name = '', ...others] = holding.split(COMMA).map(trimmed);
    return isWholeName(name) && others.some(isPlace) && !isFirm(name) ? [name] : [];
  });
}

/**
 * The names of holders whose first names are in one field and last names in another: "Anna / Eva", "Huber / Keller". Last
 * names such as "Ortega y Gasset" are taken apart only where the first names are several.
 */
export function namesAcross(firstName: string, lastName: string): string[] {
  const firsts = perhapsPartsOf(firstName);
  const lasts = firsts.length > 1 ? perhapsPartsOf(lastName) : partsOf(lastName);
  if (firsts.length === 1 && lasts.length === 1) return [];
  return distinctPairs(new Set(firsts), new Set(lasts));
}

/** Each first with each last name, where one of both is read; so many that it shows when there are too many. */
function distinctPairs(firsts: ReadonlySet<string>, lasts: ReadonlySet<string>): string[] {
  const readable = new Set([...firsts, ...lasts].filter(isReadable));
  const pairs = new Set<string>();
  for (const first of firsts) {
    for (const last of lasts) {
      if (readable.has(first) || readable.has(last)) pairs.add(`${first} ${last}`);
      if (pairs.size === MAX_NAMES) return [...pairs];
    }
  }
  return [...pairs];
}

/** Whether a letter of the name is read at all: others must not take the places of names. */
function isReadable(name: string): boolean {
  return foldWord(name) !== '';
}

const HOLDERS = [CALLED, SEPARATOR, JOINED, RENAMED, BIRTH_NAME];

function partsOf(text: string): string[] {
  return splitBy(HOLDERS, text);
}

/** Splits a text also at commas and at words that may be a part of a name. */
function perhapsPartsOf(text: string): string[] {
  return splitBy([...HOLDERS, JOINED_PERHAPS, COMMA], text);
}

function splitBy(separators: readonly RegExp[], text: string): string[] {
  const apart = separators.reduce(
    (parts, separator) => parts.flatMap((part) => part.split(separator)),
    [plainText(text)],
  );
  const names = apart.map(trimmed).filter(isName);
  // A name such as "Nata" or "Born".
  return names.length > 0 ? names : [text];
}

function namesIn(text: string): string[] {
  const plain = plainText(text);
  const called = plain.split(CALLED);
  const whole = called.length > 1 ? called.map(trimmed).filter(isName) : [];
  const between = called.flatMap((one) => one.split(SEPARATOR)).filter((part) => !called.includes(part));
  const told = [...called, ...between].flatMap((one) => [...besideRoles(one), ...besideFirm(one)]);
  const apart = [...called, ...told].flatMap((one) => [
    ...besideAsides(one),
    ...one.split(SEPARATOR).flatMap((part) => part.split(LIST_MARK)),
  ]);
  const parts = apart.map(trimmed);
  const others = [
    ...whole,
    ...parts.filter(isWholeName),
    ...parts.flatMap(renamed),
    ...parts.flatMap((part) => [part, ...renamed(part)]).flatMap(joined),
    ...parts.flatMap(joinedWhole),
    ...[plain, ...parts].flatMap(namesByScript).map(trimmed).filter(isWholeName),
    ...unglued(plain),
  ];
  return others.filter((other) => other !== '' && other !== text.trim() && other !== plain.trim());
}

/** The whole names around roles: "Anna Huber, nominee for Eva Keller". */
function besideRoles(text: string): string[] {
  if (!hasRole(text)) return [];
  const isNameOfFirm = isFirm(withoutRoles(text));
  const parts = aroundRoles(text, { isFirm: isNameOfFirm }).map(trimmed);
  return parts.filter((part) => isWholeName(part) && (!isNameOfFirm || isFirmName(part)));
}

/** The whole names of "Miller Trading LLC for Eva Keller". Without a legal form the word mostly belongs to the name: "Bank for Trade". */
function besideFirm(text: string): string[] {
  const parts = text.split(FOR).map(trimmed);
  if (parts.length < 2 || !isFirm(text)) return [];
  return parts.filter((part, place) => {
    const others = [parts[place - 1], parts[place + 1]];
    return isWholeName(part) && isFirmName(part) && others.some((other = '') => hasLegalForm(other));
  });
}

/**
 * The names that a role or words such as "care of" introduce in another one's name, and that one's: a person may stand in the
 * name of a firm, and a firm in that of a person.
 */
export function introducedWithin(names: readonly string[]): { persons: string[]; firms: string[] } {
  const parts = names.flatMap((name) => {
    const called = plainText(name).split(CALLED);
    const told = called.flatMap((one) => [...besideRoles(one), ...besideFirm(one)]);
    return [...(called.length > 1 ? called : []), ...told].flatMap((part) => part.split(SEPARATOR));
  });
  const whole = [...new Set(parts.map(trimmed))].filter(isWholeName).slice(0, MAX_SEGMENTS + 1);
  return { persons: whole.filter((name) => !isFirm(name)), firms: whole.filter(isFirm) };
}

/** The name without what is in brackets or quotation marks, and these: 'Anna "Kim" Keller'. */
function besideAsides(text: string): string[] {
  const asides = text.match(ASIDE) ?? [];
  return asides.length === 0 ? [] : [text.replace(ASIDE, ' ').replace(/\s+/gu, ' '), ...asides];
}

/** The date of "born on 1 May 1965": it is no maiden name, and the given names alone are another person's. */
const DATE = /^(?:(?:on|in|at|am|im|den|le|el|il|en|em|a|à|on the)\s+)?\P{L}*\p{N}/iu;

/** The names before and after "alias", "formerly" or "née". */
function renamed(text: string): string[] {
  const [before = '', ...after] = text.split(RENAMED).map(trimmed);
  const isRenamed = after.length > 0 && (before === '' || isWholeName(before));
  const aliases = isRenamed ? [before, ...after.filter(isName)] : [];
  const [married = '', born] = text.split(BIRTH_NAME).map(trimmed);
  if (born === undefined || !isName(married) || !isName(born)) return aliases;
  if (DATE.test(born)) return [...aliases, married].filter(isWholeName);
  return [...aliases, ...[married, born].filter(isWholeName), birthName(married, born)];
}

/** "Anna Huber, née Keller" is Anna Keller. */
function birthName(married: string, born: string): string {
  const words = wordsOf(married);
  return [...(words.length > 1 ? words.slice(0, -1) : words), born].join(' ');
}

/** The names of several holders: "Anna Huber and Eva Keller", "Anna and Eva Keller". Those of firms are segments. */
function joined(text: string): string[] {
  const parts = holdersIn(text);
  const perhaps = text.split(JOINED_PERHAPS).map(trimmed);
  if ((parts.length < 2 && perhaps.length < 2) || isFirmOfHolders(text)) return [];
  const names = parts.length < 2 ? [] : addressedHolders(parts);
  // A single last part is that of a name such as "Ortega y Gasset".
  const isApart = perhaps.length > 1 && isWholeName(perhaps.at(-1) ?? '');
  if (!isApart) return names;
  const holders = parts.length < 2 ? [] : perhaps.flatMap((part) => part.split(JOINED)).map(trimmed);
  return [...names, ...addressedHolders(perhaps), ...addressedHolders(holders.filter(isName))];
}

/** The holders of "Anna Huber per Eva Keller", each a whole name. */
function joinedWhole(text: string): string[] {
  const holders = text.split(JOINED_WHOLE).map(trimmed);
  return holders.length > 1 && holders.every(isWholeName) && !isFirm(text) ? holders : [];
}

/** The named holders, also without forms of address, which are counted as words of a name: "Don José y Doña Eva Keller". */
function addressedHolders(holders: readonly string[]): string[] {
  return [...new Set([...namedHolders(holders), ...namedHolders(withoutFormsOfAddress(holders))])];
}

/** The holders; a given name alone with the family name of the holder after it, else before it, and empty if neither has one. */
function namedHolders(holders: readonly string[]): string[] {
  const whole = [...holders.keys()].filter((place) => isWholeName(holders[place] ?? ''));
  let found = 0;
  return holders.map((given, place) => {
    while ((whole[found] ?? place) < place) found++;
    if (whole[found] === place) return given;
    const next = holders[whole[found] ?? -1];
    if (next !== undefined) return [given, ...wordsOf(next).slice(1)].join(' ');
    const previous = holders[whole[found - 1] ?? -1];
    if (previous === undefined) return '';
    return [given, COMMA.test(previous) ? previous.split(COMMA)[0] : wordsOf(previous).at(-1)].join(' ');
  });
}

/**
 * A name without spaces by its capitals: "AnnaKeller", one in Han or Hangul without its title: "王小明先生", and one in Han whose
 * words stand apart, since lists write it in one: "山田 太郎".
 */
function unglued(text: string): string[] {
  const untitled = text.replace(GLUED_TITLE, '');
  if (untitled !== text) return [untitled];
  const [, left, right] = APART_IN_HAN.exec(text.trim()) ?? [];
  if (left !== undefined && right !== undefined) return [left + right];
  return splitWords(text).length === 1 && HUMP.test(text) ? [text.split(HUMP).join(' ')] : [];
}
