import { foldWord } from '../letters/fold-word.ts';
import type { ReadWord, WordRole } from '../letters/script-of.ts';

const INITIALS = 'k kk n t tt r m p pp s ss _ j jj ch k t p h'.split(' ');
const VOWELS = 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'.split(' ');
const FINALS = '_ k k k n n n t l l l l l l l l m p p t t ng t t k t p h'.split(' ');
/** Index of the vowel eu. */
const FILLER = 18;
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/** Korean family names with two syllables; all others have one. */
const LONG_FAMILY_NAMES = new Set(['남궁', '황보', '제갈', '사공', '선우', '독고', '동방', '서문']);

/** Reads a Korean word. A whole name of two to four syllables is split into family and given name. */
export function readHangul(word: string, role: WordRole): ReadWord[] {
  const syllables = Array.from(word.normalize('NFC'));
  if (role !== 'WHOLE_NAME' || syllables.length < 2 || syllables.length > 4) return [hangulWord(word)];
  const family = syllables.length > 2 && LONG_FAMILY_NAMES.has(syllables.slice(0, 2).join('')) ? 2 : 1;
  if (syllables.length === 4 && family === 1) return [hangulWord(word)];
  return [hangulWord(syllables.slice(0, family).join('')), hangulWord(syllables.slice(family).join(''))];
}

function hangulWord(word: string): ReadWord {
  return {
    text: foldWord(Array.from(word.normalize('NFC'), (block) => romaniseSyllable(block)).join('')),
    native: word,
    script: 'hangul',
  };
}

/** The sounds of a Korean word, with Y for the vowel that separates consonants in foreign names. */
export function hangulSounds(word: string): string {
  return Array.from(word, (block) => romaniseSyllable(block, 'Y')).join('');
}

/** Romanises one syllable block like Northern and older Southern romanisations, without sound changes between blocks. */
export function romaniseSyllable(block: string, filler = 'u'): string {
  const code = block.codePointAt(0) ?? 0;
  if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return block;
  const offset = code - FIRST_SYLLABLE;
  const initial = INITIALS[Math.floor(offset / 588)];
  const vowelNumber = Math.floor((offset % 588) / 28);
  const vowel = vowelNumber === FILLER ? filler : VOWELS[vowelNumber];
  const final = FINALS[offset % 28];
  return `${initial ?? ''}${vowel ?? ''}${final ?? ''}`.replaceAll('_', '');
}
