import { cleanText, splitWords } from './letters/fold-word.ts';
import type { EntryType } from './list-entry.ts';
import { namePart, type NamePart } from './name-part.ts';
import { numeralOf } from './numeral.ts';
import { isFormAtEnd, longestPhrase, organisationPhrase } from './organisation-phrases.ts';
import { GLUED_SERVANT, isParticle, isTitle, SERVANT } from './person-words.ts';
import { readWord } from './read-word.ts';
import type { ReadWord } from './letters/script-of.ts';
import { givenNameFirst, spacedInitials, withoutTitles } from './titles.ts';

/** Maximum number of parts of a name; further parts are not compared. */
const MAX_PARTS = 24;
const MAX_LETTERS = 1_000;
/** How often a word counts in a name that has more words than are compared. */
const MAX_REPEATS = 2;
const STOP_WORDS = new Set(
  'and of the for in on at to by und et y de du des la le les los las del di da do dos das der die das a an'.split(
    ' ',
  ),
);
/** Meanings of phrases that are the name of one organisation, unlike those of generic words. */
const ORGANISATIONS = new Set(['hezbollah', 'alqaeda', 'irgc']);
const ARTICLES = new Set([
  'al',
  'el',
  'ul',
  'ar',
  'ur',
  'as',
  'us',
  'ad',
  'ud',
  'at',
  'az',
  'an',
  'ash',
  'il',
]);

/** The parts of a name in order, at most 24; empty if the name has no letter and no digit. */
export function nameParts(text: string, type: EntryType): NamePart[] {
  const clean = cleanText(text.slice(0, MAX_LETTERS));
  return type === 'person'
    ? personParts(readWords(withoutTitles(splitWords(givenNameFirst(spacedInitials(clean))))))
    : organisationParts(readWords(splitWords(clean.replaceAll('&', ' and '))), type);
}

/** Whether the name has more letters, words or parts than are compared, so that another name may stand in the rest. */
export function isTooLong(text: string): boolean {
  const words = splitWords(cleanText(text));
  if (text.length > MAX_LETTERS || words.length > MAX_PARTS) return true;
  return words.flatMap((word) => readWord(word, 'PART_OF_NAME')).length > MAX_PARTS;
}

function readWords(written: readonly string[]): ReadWord[] {
  const words = (written.length > MAX_PARTS ? withoutRepeats(written) : written).slice(0, MAX_PARTS);
  const role = words.length === 1 ? 'WHOLE_NAME' : 'PART_OF_NAME';
  return words.flatMap((word) => readWord(word, role)).slice(0, MAX_PARTS);
}

/** The words, each at most twice: "de de de de" must not stand before a name until nothing of it is compared. */
function withoutRepeats(words: readonly string[]): string[] {
  const times = new Map<string, number>();
  return words.filter((word) => {
    const key = word.toLowerCase();
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    return count <= MAX_REPEATS;
  });
}

function personParts(words: readonly ReadWord[]): NamePart[] {
  const parts: NamePart[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index];
    if (word === undefined) continue;
    if (isServant(word)) {
      const article = words[index + 1]?.text ?? '';
      if (ARTICLES.has(article) && index + 2 < words.length) index++;
      parts.push(servantPart(word));
    } else {
      parts.push(...personWord(word, index, words.length));
    }
  }
  return parts;
}

function isServant(word: ReadWord): boolean {
  return SERVANT.test(word.text) || (word.script === 'arabic' && word.native === 'عبد');
}

function servantPart(word?: ReadWord): NamePart {
  return namePart('abdul', 'word', { ...word, weight: 0.6 });
}

function personWord(word: ReadWord, index: number, count: number): NamePart[] {
  const { text } = word;
  if (text.length === 1 && (word.native === '' || word.script === 'other'))
    return [namePart(text, /\d/.test(text) ? 'number' : 'initial', word)];
  if (count > 1 && isWeakPersonWord(text, index, count)) return [namePart(text, 'particle', word)];
  const rest = text.replace(GLUED_SERVANT, '');
  if (rest !== text && !isAbjad(word)) return [servantPart(), namePart(rest, 'word')];
  return [namePart(text, 'word', word)];
}

function isAbjad({ script }: ReadWord): boolean {
  return script === 'arabic' || script === 'hebrew';
}

function isWeakPersonWord(text: string, index: number, count: number): boolean {
  return (
    isParticle(text) ||
    (index < count - 1 && isTitle(text, 'before')) ||
    (index > 0 && isTitle(text, 'after'))
  );
}

function organisationParts(words: readonly ReadWord[], type: EntryType): NamePart[] {
  const parts: NamePart[] = [];
  for (let index = 0; index < words.length;) {
    const found = type === 'organisation' ? phraseAt(words, index) : undefined;
    if (found === undefined) {
      const word = words[index] as ReadWord;
      const isForm = type === 'organisation' && index === words.length - 1 && isFormBehind(parts, word);
      parts.push(isForm ? namePart(word.text, 'form', { ...word, meaning: 'JSC' }) : organisationWord(word));
      index++;
    } else {
      parts.push(found.part);
      index += found.length;
    }
  }
  return hasContent(parts) ? parts : parts.map(asContent);
}

function isFormBehind(parts: readonly NamePart[], { text }: ReadWord): boolean {
  return isFormAtEnd(text) && parts.some(({ kind }) => kind === 'generic');
}

/** The longest phrase that starts at this word. Legal forms of two letters count only at either end of the name. */
function phraseAt(words: readonly ReadWord[], start: number): { part: NamePart; length: number } | undefined {
  const longest = longestPhrase(words[start]?.text ?? '');
  for (let length = Math.min(longest, words.length - start); length > 0; length--) {
    const run = words.slice(start, start + length);
    const text = run.map((word) => word.text).join(' ');
    const phrase = organisationPhrase(text);
    if (phrase === undefined) continue;
    const atEnd = start === 0 || start + length === words.length;
    if (phrase.kind === 'form' && text.length <= 2 && !atEnd) continue;
    // Each spelling of such an organisation is read as one word, which tells it.
    if (ORGANISATIONS.has(phrase.meaning)) return { part: namePart(phrase.meaning, 'word'), length };
    const native = length === 1 ? run[0] : undefined;
    return {
      part: namePart(text.replaceAll(' ', ''), phrase.kind, { ...native, meaning: phrase.meaning }),
      length,
    };
  }
  return undefined;
}

function organisationWord(word: ReadWord): NamePart {
  const numeral = numeralOf(word.text);
  if (numeral !== undefined) return namePart(numeral, 'number', word);
  if (STOP_WORDS.has(word.text)) return namePart(word.text, 'particle', word);
  if (word.text.length === 1) return namePart(word.text, 'initial', word);
  return namePart(word.text, 'word', word);
}

function hasContent(parts: readonly NamePart[]): boolean {
  return parts.some((part) => part.kind === 'word' || part.kind === 'generic' || part.kind === 'initial');
}

/** Turns a part into a word, for names that have only legal forms or numbers and would otherwise become empty. */
function asContent(part: NamePart): NamePart {
  return part.kind === 'number' ? part : namePart(part.text, 'word', part.native ? part : {});
}
