import fc from 'fast-check';
import { isLei } from '../../domain/lei.ts';

/** GLEIF itself, the European Central Bank, Apple and Deutsche Bank. */
const known = [
  '506700GE1G29325QX363',
  '549300DTUYXVMJXZNY75',
  'HWUPKR0MPOU8FGXBT394',
  '7LTWFZYICNSX8D621K86',
];

test.each(known)('%s is valid', (lei) => {
  expect(isLei(lei)).toBe(true);
});

test.each([
  '',
  '506700GE1G29325QX364',
  '506700GE1G29325QX36',
  '506700GE1G29325QX3633',
  '506700ge1g29325qx363',
  ' 506700GE1G29325QX363',
  '506700GE1G29325QX363\n',
  '506700GE1G29325QX3A3',
  '506700GE1G29325Q-363',
])('%p is not', (text) => {
  expect(isLei(text)).toBe(false);
});

test('every base has exactly one pair of check digits', () => {
  const alphabet = Array.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const base = fc
    .array(fc.constantFrom(...alphabet), { minLength: 18, maxLength: 18 })
    .map((list) => list.join(''));
  const pairs = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));
  fc.assert(
    fc.property(base, (text) => {
      expect(pairs.filter((pair) => isLei(text + pair))).toHaveLength(1);
    }),
    { numRuns: 50 },
  );
});

/** Not for a letter and a digit: X3 and 3X are both 333 in the checksum. */
test('a wrong digit, a wrong letter or two swapped digits never go unnoticed', () => {
  const others = { digit: Array.from('0123456789'), letter: Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ') };
  for (const lei of known) {
    Array.from(lei).forEach((character, at) => {
      const replacements = others[/\d/.test(character) ? 'digit' : 'letter'];
      const changed = replacements.map((other) => lei.slice(0, at) + other + lei.slice(at + 1));
      const swapped = lei.slice(0, at) + lei.slice(at).replace(/^(\d)(\d)/, '$2$1');
      expect([...changed, swapped].filter((text) => text !== lei && isLei(text))).toEqual([]);
    });
  }
});
