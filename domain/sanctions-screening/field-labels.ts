import { splitWords } from '../sanctions/letters/fold-word.ts';
import { plainText, trimmed } from './plain-text.ts';

/** Names of fields, as forms and documents print them. A word that is also a name is one only before a colon or an equals sign. */
export const FIELD =
  /(?<![\p{L}\p{N}])(?:(?:sur|last|first|given|middle|family|fore|full)[\s_-]?names?(?:\s*\(s\))?|apellidos?|prénoms?|nachnamen?|vornamen?|familienname|фамилия|отчество|(?:names?|nombres?|noms?|имя)(?=\s*[:=]))(?![\p{L}\p{N}])\s*[:=]?/giu;
/** What is told of a person behind the name. */
export const PARTICULARS =
  /(?<![\p{L}\p{N}])(?:passport|(?:citizen|national|resident) of|nationality|residing (?:at|in)|living in|date of birth|d\.?o\.?b|(?:identity|id) card|(?:id|tax|tin|ssn) (?:no|number))(?![\p{L}\p{N}])/iu;
const SIGNS = /[,;:=]+/gu;
/** A single word is nobody's whole name. */
const MIN_WORDS = 2;

/**
 * Names without the names of fields and without particulars behind them: of "Last name: Keller, First name: Anna" and of "Anna
 * Keller, citizen of Austria".
 */
export function namesOfFields(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const plain = plainText(name);
    const unlabelled = plain.replace(FIELD, ' ');
    const told = [
      ...(unlabelled === plain ? [] : [unlabelled.replace(SIGNS, ' ')]),
      ...unlabelled.split(PARTICULARS).slice(0, 1),
    ].filter((part) => part !== plain);
    return told
      .map((part) => trimmed(part.replace(/\s+/gu, ' ')))
      .filter((part) => splitWords(part).length >= MIN_WORDS);
  });
}
