import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { countryCode } from '../../domain/country.ts';

const isoCodes = Object.keys(english.countries);

test('every ISO code is found in either case', () => {
  expect(isoCodes.map((code) => countryCode(code.toLowerCase()))).toEqual(isoCodes);
  expect(isoCodes.map(countryCode)).toEqual(isoCodes);
});

test('every English name of the ISO list leads to its code; "Congo" alone is the Republic', () => {
  for (const [code, names] of Object.entries(english.countries) as [string, string | string[]][]) {
    for (const name of [names].flat())
      expect([name, countryCode(name)]).toEqual([name, name === 'Congo' ? 'CG' : code]);
  }
});

test.each([
  ['UK', 'GB'],
  ['uk', 'GB'],
  ['Great Britain', 'GB'],
  ['England', 'GB'],
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['the united states', 'US'],
  ['Russia', 'RU'],
  ['South Korea', 'KR'],
  ['Korea, Republic of', 'KR'],
  ['North Korea', 'KP'],
  ['Vietnam', 'VN'],
  ['Viet Nam', 'VN'],
  ['Laos', 'LA'],
  ['Syria', 'SY'],
  ['Moldova', 'MD'],
  ['Brunei', 'BN'],
  ['Iran, Islamic Republic of', 'IR'],
  ['Czechia', 'CZ'],
  ['Türkiye', 'TR'],
  ['TURKIYE', 'TR'],
  ['Cote d’Ivoire', 'CI'],
  ['Curacao', 'CW'],
  ['Réunion', 'RE'],
  ['St. Lucia', 'LC'],
  ['Bosnia & Herzegovina', 'BA'],
  ['Trinidad & Tobago', 'TT'],
  ['The Bahamas', 'BS'],
  ['DR Congo', 'CD'],
  ['Hong Kong SAR China', 'HK'],
  ['Macau', 'MO'],
  ['British Virgin Islands', 'VG'],
  ['U.S. Virgin Islands', 'VI'],
  ['Vatican', 'VA'],
  ['Kosovo', 'XK'],
  ['  Estonia ', 'EE'],
])('%s is %s', (name, code) => {
  expect(countryCode(name)).toBe(code);
});

test.each([
  '',
  ' ',
  'XX',
  'ZZ',
  'D',
  'DEU1',
  'Korea',
  'Atlantis',
  'ｄｅ',
  'dé',
  '__proto__',
  'constructor',
  'the',
])('%p is no country', (text) => {
  expect(countryCode(text)).toBeUndefined();
});
