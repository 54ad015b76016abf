import { withoutDigits } from '../../../../domain/sanctions/digits.ts';
import { cleanText } from '../../../../domain/sanctions/letters/fold-word.ts';
import { inOneScript, latinLookAlike } from '../../../../domain/sanctions/letters/look-alikes.ts';
import { nameParts } from '../../../../domain/sanctions/name-parts.ts';
import lookAlikes from '../../../../data/name-words/look-alikes.json' with { type: 'json' };

const LETTERS = Array.from({ length: 26 }, (_, at) => at);
const small = (at: number): string => String.fromCodePoint(0x61 + at);
const textOf = (name: string): string =>
  nameParts(name, 'person')
    .map(({ text }) => text)
    .join(' ');

/** The first code point of 26 letters in order. */
const RANGES: [what: string, first: number][] = [
  ['fullwidth capitals', 0xff21],
  ['fullwidth', 0xff41],
  ['in brackets', 0x249c],
  ['circled capitals', 0x24b6],
  ['circled', 0x24d0],
  ['capitals in brackets', 0x1f110],
  ['squared', 0x1f130],
  ['negative circled', 0x1f150],
  ['negative squared', 0x1f170],
  ['regional indicators', 0x1f1e6],
  // Bold, bold italic, bold script, bold fraktur, sans-serif (4) and monospace have no holes, in capitals and small letters.
  ...[0x1d400, 0x1d41a, 0x1d468, 0x1d482, 0x1d4d0, 0x1d4ea, 0x1d56c, 0x1d586].map(mathematical),
  ...Array.from({ length: 10 }, (_, at) => mathematical(0x1d5a0 + at * 26)),
];

function mathematical(first: number): [string, number] {
  return [`mathematical from ${first.toString(16)}`, first];
}

test.each(RANGES)('letters are read whatever their form: %s', (_, first) => {
  const name = LETTERS.map((at) => String.fromCodePoint(first + at)).join('');
  expect(textOf(name)).toBe(LETTERS.map(small).join(''));
});

test('a flag beside a name is no part of it', () => {
  expect(cleanText('Anna Keller 🇻🇪').trim()).toBe('Anna Keller');
  expect(textOf('🇦🇳🇳🇦')).toBe('anna');
});

test.each(Object.entries(lookAlikes))(
  'in a Latin word every letter that looks like %s is read as it',
  (latin, letters) => {
    for (const letter of letters) {
      expect([letter, inOneScript(`Zz${letter}zZ`)]).toEqual([letter, `Zz${latin}zZ`]);
    }
  },
);

test.each([
  ['Niсоlаs', 'Nicolas'],
  ['Μαdurο', 'Maduro'],
  ['Mадуро', 'Мадуро'],
  ['Mαδούρο', 'Μαδούρο'],
  ['Niкolas', 'Niкolas'],
  ['Мадуро', 'Мадуро'],
  ['Maduro', 'Maduro'],
  ['Ёлкин', 'Ёлкин'],
  ['JRジャパン', 'JRジャパン'],
])('a word in two scripts is read in one: %s', (word, read) => {
  expect(inOneScript(word)).toBe(read);
});

test.each([
  ['РОРЕ', 'POPE'],
  ['ꓠꓲꓚꓳꓡꓮꓢ', 'NICOLAS'],
  ['Nicolas МОРОС', 'Nicolas MOPOC'],
  ['Анна', undefined],
  ['Anna', undefined],
])('a name of look-alikes alone is also read as Latin: %s', (name, latin) => {
  expect(latinLookAlike(name)).toBe(latin);
});

test.each([
  ['Nicol&aacute;s', 'Nicolas'],
  ['Nicol&#225;s&#x20;Maduro', 'Nicolás Maduro'],
  ['Nicol&amp;aacute;s', 'Nicolas'],
  ['Nicolas%20Maduro', 'Nicolas Maduro'],
  ['Nicol%C3%A1s', 'Nicolás'],
  ['NicolÃ¡s', 'Nicolás'],
  ['\u00d0\u0090\u00d0\u00bd\u00d0\u00bd\u00d0\u00b0', 'Анна'],
  ['São Ângelo', 'São Ângelo'],
  ['Huber &amp; Sons', 'Huber & Sons'],
  ['AT&T; 100%ab &unknown;', 'AT&T; 100%ab &unknown;'],
  ['Anna&#0;&#xd800;&#9999999;Keller', 'Anna   Keller'],
])('encoded characters are read as characters: %s', (text, clean) => {
  expect(cleanText(text)).toBe(clean);
});

test.each([
  ['N1c0las M4duro', 'Nicolas Maduro'],
  ['Nicolas M@duro Mo$es', 'Nicolas Maduro Moses'],
  ['anna@keller.org', 'anna@keller.org'],
  ['KELLER, Anna 1962', 'KELLER, Anna  '],
  ['1962', undefined],
  ['Anna Keller', undefined],
])('digits of a person name nobody, or stand for letters: %s', (name, text) => {
  expect(withoutDigits(name)).toBe(text);
});

test('"son of" is left out, as "bin" may be', () => {
  expect(textOf('Ravi S/O Mohan')).toBe('ravi mohan');
  expect(textOf('Ravi, son of Mohan')).toBe('mohan ravi');
});
