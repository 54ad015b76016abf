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
])('the number %s is equal to %s: %s', (listed, value) => {
  expect(isEqual(listed, value)).toBe(true);
  const key = identifierKey(value);
  expect([key, identifierKey(key)]).toEqual([identifierKey(listed), key]);
});

test.each([
  ['771234567', '771234568'],
  ['Ж1234567', 'A1234567'],
  ['一二三四五六七', '1234567'],
])('the number %s is not equal to %s', (listed, value) => expect(isEqual(listed, value)).toBe(false));
