import { readAbjad } from './scripts/abjad.ts';
import { readGreek } from './scripts/greek.ts';
import { readHan } from './scripts/han.ts';
import { readHangul } from './scripts/hangul.ts';
import { readKana } from './scripts/kana.ts';
import { foldWord } from './letters/fold-word.ts';
import { inOneScript } from './letters/look-alikes.ts';
import { scriptOf, type ReadWord, type Script, type WordRole } from './letters/script-of.ts';

const READERS: Partial<Record<Script, (word: string, role: WordRole) => ReadWord[]>> = {
  arabic: (word) => readAbjad(word, 'arabic'),
  hebrew: (word) => readAbjad(word, 'hebrew'),
  greek: readGreek,
  han: readHan,
  hangul: readHangul,
  kana: readKana,
};

/** A word that reads as itself, as nearly all words of lists and names do. */
const PLAIN_WORD = /^[A-Za-z\d]+$/;

/**
 * Reads one written word. An attached Arabic article is split off; a Han or Hangul word that is the whole name is split
 * into family and given name.
 */
export function readWord(written: string, role: WordRole): ReadWord[] {
  if (PLAIN_WORD.test(written)) return [{ text: written.toLowerCase(), native: '', script: 'latin' }];
  const word = inOneScript(written);
  const script = scriptOf(word);
  const read = READERS[script] ?? readByLetters;
  return read(word, role).filter(({ text }) => text !== '');
}

/** Reads Latin words and scripts with one sound per letter: Cyrillic, Armenian, Georgian and others. */
function readByLetters(word: string): ReadWord[] {
  const script = scriptOf(word);
  return [{ text: foldWord(word), native: script === 'latin' ? '' : word.toLowerCase(), script }];
}
