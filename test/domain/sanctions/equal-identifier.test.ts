import { equalIdentifier, identifierKey } from '../../../domain/sanctions/equal-identifier.ts';
import { listEntry } from '../../factories/sanctions.ts';

const passport = (value: string) => ({ kind: 'passport' as const, value });
const isEqual = (listed: string, value: string) =>
  equalIdentifier(listEntry('1', 'Barnabas Ravenscroft', { identifiers: [passport(listed)] }), {
    value,
    kinds: ['passport'],
    countries: [],
  }) !== undefined;

test.each([
  ['771234567', '７７１２３４５６７', 'fullwidth digits'],
  ['771234567', '٧٧١٢٣٤٥٦٧', 'Arabic-Indic digits'],
  ['771234567', '۷۷۱۲۳۴۵۶۷', 'Persian digits'],
  ['771234567', '७७१२३४५६७', 'Devanagari digits'],
  ['A1234567', '\u04101234567', 'a Cyrillic A'],
  ['\u04101234567', 'a1234567', 'a Cyrillic A on the list'],
  ['\u0410\u04221234567', '\u0430\u04421234567', 'Cyrillic letters in both cases'],
  ['AB 123-456', 'ab123456', 'separators'],
  ['AB № 123456', 'AB123456', 'the numero sign'],
  ['\u0416\u0410123456', '\u0416A123456', 'a Latin A after a Cyrillic letter without a look-alike'],
  ['IV-AB 123456', '\u2163-\u0410\u0412 123456', 'a Roman numeral and Cyrillic letters'],
])('the number %s is equal to %s: %s', (listed, value) => {
  expect(isEqual(listed, value)).toBe(true);
  const key = identifierKey(value);
  expect([key, identifierKey(key)]).toEqual([identifierKey(listed), key]);
});

test.each([
  ['771234567', '771234568', 'another digit'],
  ['771234567', '٧٧١٢٣٤٥٦٨', 'another Arabic-Indic digit'],
  ['\u04161234567', 'A1234567', 'a letter that looks like no Latin one'],
  ['一二三四五六七', '1234567', 'words'],
  ['O1234567', '01234567', 'O and 0'],
  ['\u041e1234567', '01234567', 'a Cyrillic O and 0'],
  ['I1234567', '11234567', 'I and 1'],
  ['\u04171234567', '31234567', 'a Cyrillic Ze and 3'],
  ['\u042c1234567', '\u04121234567', 'a soft sign and a Cyrillic Ve'],
  ['\u04231234567', '\u04ae1234567', 'the two Mongolian letters'],
  ['123456', '123456\u{11de3}', 'a digit of a script that has just become known'],
])('the number %s is not equal to %s: %s', (listed, value) => expect(isEqual(listed, value)).toBe(false));

test('a digit of any script is the ASCII digit of its value', () => {
  const digits = characters().filter((character) => /\p{Nd}/u.test(character));
  const known = digits.map(identifierKey).filter((key) => /^[0-9]$/.test(key));
  expect(known.length).toBeGreaterThanOrEqual(750);
  // Each script has its ten digits in order.
  expect(known.join('')).toBe('0123456789'.repeat(known.length / 10));
});

test('the key of a key is the key, and another spelling of the old key, whatever the character', () => {
  const before = (value: string) => value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
  const wrong = characters().filter((character) => {
    const value = `a${character}123456`;
    const key = identifierKey(value);
    return identifierKey(key) !== key || identifierKey(before(value)) !== key;
  });
  expect(wrong).toEqual([]);
});

/** The characters of the first two planes, where nearly all letters and digits are. */
function characters(): string[] {
  const points = Array.from({ length: 0x20000 }, (_, point) => point);
  return points
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
}
