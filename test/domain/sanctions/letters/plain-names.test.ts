import fc from 'fast-check';
import { cleanText } from '../../../../domain/sanctions/letters/fold-word.ts';
import { readWord } from '../../../../domain/sanctions/read-word.ts';

// Names of plain letters, with and without commas, are not cleaned, and words of plain letters are read as they stand. A sign that
// changes nothing, which takes a text past that short cut, must lead to the same.
const word = fc.stringMatching(/^[A-Za-z]{1,6}$/);
const wordWithDigits = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/);
const name = fc
  .array(word, { minLength: 1, maxLength: 9 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(' ', ', '), { minLength: words.length, maxLength: words.length })
      .map((joins) => words.map((text, at) => (at === 0 ? text : `${joins[at]}${text}`)).join('')),
  );

test('a plain name is clean already, whichever way it is looked at', () => {
  fc.assert(
    fc.property(name, (text) => {
      fc.pre(/^[A-Za-z]{2}/.test(text));
      expect(cleanText(text)).toBe(text);
      expect(cleanText(`\u200b${text}`)).toBe(text);
    }),
  );
});

test('a plain word is read as the same word with an accent is', () => {
  fc.assert(
    fc.property(wordWithDigits, fc.constantFrom('PART_OF_NAME', 'WHOLE_NAME'), (text, role) => {
      const read = readWord(text, role);
      expect(read).toEqual([{ text: text.toLowerCase(), native: '', script: 'latin' }]);
      expect(readWord(`${text}é`, role)).toEqual([
        { text: `${text.toLowerCase()}e`, native: '', script: 'latin' },
      ]);
    }),
  );
});

test.each([
  ['A, B, C, D, E, F', 'ABCDEF'],
  ['B o r i s o v', 'Borisov'],
  ['KELLER,', 'KELLER,'],
  ['KELLER,Anna', 'KELLER,Anna'],
  ['b,o,r,i,s,o v', 'boriso v'],
  ['', ''],
])('what is nearly a plain name goes the long way: %j', (text, clean) => expect(cleanText(text)).toBe(clean));
