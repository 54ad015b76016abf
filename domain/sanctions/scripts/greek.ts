import { foldWord } from '../letters/fold-word.ts';
import type { ReadWord } from '../letters/script-of.ts';

/** Letter combinations that stand for one sound, those at the start of a word first. */
const SOUNDS: readonly [RegExp, string][] = [
  [/^μπ/u, 'b'],
  [/^ντ/u, 'd'],
  [/^γκ/u, 'g'],
  [/μπ/gu, 'b'],
  [/ντ/gu, 'nt'],
  [/γγ/gu, 'ng'],
  [/γκ/gu, 'gk'],
  [/γχ/gu, 'nch'],
  [/τζ/gu, 'tz'],
  [/ου/gu, 'ou'],
  [/[αά][υύ](?=[πτκφθχσςξψ])/gu, 'af'],
  [/[αά][υύ]/gu, 'av'],
  [/[εέ][υύ](?=[πτκφθχσςξψ])/gu, 'ef'],
  [/[εέ][υύ]/gu, 'ev'],
  [/χ/gu, 'ch'],
];

/** Reads a Greek word by its sounds: μπ is b, ντ is d, ου is ou. */
export function readGreek(word: string): ReadWord[] {
  const plain = word
    .toLowerCase()
    .normalize('NFD')
    .replace(/\u0301/gu, '')
    .normalize('NFC');
  const sounds = SOUNDS.reduce((text, [letters, sound]) => text.replace(letters, sound), plain);
  return [{ text: foldWord(sounds), native: word, script: 'greek' }];
}
