import { isPlace } from '../sanctions/places.ts';
import { MAX_SEGMENTS } from '../sanctions/search.ts';
import { splitWords } from '../sanctions/letters/fold-word.ts';
import { nameParts } from '../sanctions/name-parts.ts';
import { PARTICULARS } from './field-labels.ts';
import { hasLegalForm, isFirm, isFirmName } from './firm-names.ts';
import { FOR, JOINED, PART_OF, SURELY_FOR } from './name-separators.ts';
import { perhapsHolders } from './joined-holders.ts';
import { partsAround } from './names-within.ts';
import { trimmed } from './plain-text.ts';
import { aroundNominees, aroundRoles, besideAgents, hasRole } from './roles.ts';
import { isWholeName } from './whole-name.ts';

/** Shorter words are too often somebody's given name or an abbreviation. */
const MIN_LETTERS = 5;
const MIN_WORDS = 2;
const MIN_GENERIC_WORDS = 3;
const COMMA = /[,،，]/u;
const ARTICLE = /^(?:the|a|an|der|die|das|den|le|la|les|el|los|il|lo|de|het)$/iu;

/**
 * Parts of names that may be those of firms, whoever the name is of: "Miller nominee Huber Trading LLC", "Anna Miller for
 * Huber AG", "Miller Trading LLC and Global Logistics LLC". They count only for listed firms that have no other word, since
 * "Bank for Foreign Trade" is one name.
 */
export function firmsWithin(names: readonly string[]): string[] {
  const firms = new Set<string>();
  for (const name of names) {
    for (const [place, part] of partsAround(name).entries()) {
      // One more than are compared shows that there are too many; a long text must not be taken apart to its end.
      if (firms.size > MAX_SEGMENTS) return [...firms].slice(0, MAX_SEGMENTS + 1);
      for (const firm of firmsIn(part, place === 0)) firms.add(firm);
    }
  }
  return [...firms].slice(0, MAX_SEGMENTS + 1);
}

/** `isFirst` tells the beginning of a name, where a word joins two words of one firm rather than two firms. */
function firmsIn(text: string, isFirst: boolean): string[] {
  const named = text.split(PARTICULARS)[0] ?? '';
  const firms = [
    ...joinedFirms(text, isFirst),
    ...(named === text ? [] : joinedFirms(named, isFirst)),
    ...perhapsHolders(text).filter(isNameOfFirm),
    ...beside(text.split(FOR).map(trimmed), isNameOfFirm),
    ...beside(text.split(SURELY_FOR).map(trimmed), isWordOfFirm),
    ...owners(text.split(PART_OF).map(trimmed)),
    ...behindHolders(text.split(SURELY_FOR).map(trimmed)).flatMap(firmsBehind),
  ];
  if (!hasRole(text)) return firms;
  const nominees = aroundNominees(text).map(trimmed);
  const others = aroundRoles(text, { isFirm: true }).map(trimmed);
  return [
    ...firms,
    ...nominees.filter((one) => isNameOfFirm(one) || isWordOfFirm(one)),
    ...others.filter(isNameOfFirm),
    ...besideAgents(text)
      // "Representing Arts GmbH" is one firm.
      .filter(
        ({ before, after, isOfAgent }) =>
          isHolder(before) || (before === '' && isOfAgent && !hasLegalForm(after)),
      )
      .flatMap(({ after }) => firmsBehind(after)),
  ];
}

function behindHolders(parts: readonly string[]): string[] {
  return parts.filter((_, place) => place > 0 && isHolder(parts[place - 1] ?? ''));
}

/** The firms for whom somebody acts: of "the company Garantex and Huber AG, passport 123" both. */
function firmsBehind(text: string): string[] {
  const [named = ''] = (text.split(PARTICULARS)[0] ?? '').split(COMMA);
  const firms = named.split(JOINED).map(trimmed);
  return [...firms.filter((one) => isNameOfFirm(one) || isWordOfFirm(one)), ...firms.flatMap(onlyWord)];
}

/** The one word of a firm between an article and words of firms before it and places behind it: "the company Garantex Moscow". */
function onlyWord(text: string): string[] {
  const words = splitWords(text);
  const start = words.findIndex((word) => !ARTICLE.test(word) && !isFirm(word));
  const end = words.findLastIndex((word) => !isPlace(word)) + 1;
  return start >= 0 && end - start === 1 ? words.slice(start, end).filter(isWordOfFirm) : [];
}

/**
 * The parts around "for" that have a legal form, or stand beside the name of a person or a firm with its legal form: "Anna Miller
 * for Garantex". "Foundation for International Trade" is one name.
 */
function beside(parts: readonly string[], isFirmLike: (part: string) => boolean): string[] {
  if (parts.length < 2) return [];
  return parts.filter((part, place) => {
    const [before = '', after = ''] = [parts[place - 1], parts[place + 1]];
    return isFirmLike(part) && (hasLegalForm(part) || isHolder(before) || hasLegalForm(after));
  });
}

/** Whose part somebody is: "a subsidiary of Garantex". */
function owners(parts: readonly string[]): string[] {
  return parts.slice(1).filter((part) => isNameOfFirm(part) || isWordOfFirm(part));
}

/** The firms of "Huber AG and Global Logistics LLC", also those of generic words alone. */
function joinedFirms(text: string, isFirst: boolean): string[] {
  const parts = text.split(JOINED).map(trimmed);
  if (parts.length < 2 || !isFirm(text)) return [];
  const [first = '', second = ''] = parts;
  // "Huber AG" before "Eva Keller" is a firm of its own, but not before "Sons" or "Co. KG".
  const isApart = !isFirst || (hasLegalForm(first) && isWholeName(second) && isFirmName(second, 1));
  return [...parts.slice(isApart ? 0 : 1), ...acrossJoins(text)].filter(isNameOfFirm);
}

/** A firm whose own name is joined by a word, beside one holder: what stands before the last such word, and behind the first. */
function acrossJoins(text: string): string[] {
  const joins = [...text.matchAll(JOINED)];
  const [first, last] = [joins[0], joins.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  return [text.slice(0, last.index), text.slice(first.index + first[0].length)].map(trimmed);
}

/** Whether it has a legal form, or so many words that a listed name of just these is hardly another one. */
function isNameOfFirm(text: string): boolean {
  const kinds = nameParts(text, 'organisation').map(({ kind }) => kind);
  const words = kinds.filter((kind) => kind === 'word').length;
  const generic = kinds.filter((kind) => kind === 'generic').length;
  if (hasLegalForm(text) && splitWords(text).some(isWordOfFirm)) return true;
  return words + generic >= (words > 0 ? MIN_WORDS : MIN_GENERIC_WORDS);
}

function isWordOfFirm(text: string): boolean {
  const [word = '', ...others] = splitWords(text);
  return others.length === 0 && word.length >= MIN_LETTERS && !isFirm(text) && !isPlace(text);
}

/** Whether somebody of this name acts for another: "Center" and "Research Foundation" are the beginnings of names. */
function isHolder(text: string): boolean {
  return splitWords(text).length > 1 && (!isFirm(text) || hasLegalForm(text));
}
