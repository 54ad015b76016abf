import { operatorKeysOf } from '../../process/operator-keys.ts';
import { readSettings } from '../../process/settings.ts';

const KEY = '7c1f0a5e9b2d48638f6a';
const OTHER = '3e8d6b0c4f9172a5d1e0';
const read = (OPERATOR_KEYS: string, more: Record<string, string> = {}) =>
  operatorKeysOf(readSettings({ OPERATOR_KEYS, ...more }));
const inProduction = {
  ENVIRONMENT: 'production',
  PUBLIC_URL: 'https://waybill.example',
};

test('every key has the name of its operator; that of OPERATOR_KEY is "operator"', () => {
  expect(read(`ada:${KEY}, grace.h:${OTHER}`)).toEqual([
    { name: 'ada', key: KEY },
    { name: 'grace.h', key: OTHER },
  ]);
  expect(read(`ada:${KEY}`, { OPERATOR_KEY: OTHER })).toEqual([
    { name: 'operator', key: OTHER },
    { name: 'ada', key: KEY },
  ]);
  expect(read(`ada:${KEY}:with:colons`)).toEqual([{ name: 'ada', key: `${KEY}:with:colons` }]);
  expect(operatorKeysOf(readSettings({}))).toEqual([]);
});

test.each([
  ['no name', KEY],
  ['an entry the wrong way round', `${KEY}:ada`],
  ['an empty name', `:${KEY}`],
  ['a name with other characters', `Ada Lovelace:${KEY}`],
  ['a name that is too long', `${'a'.repeat(65)}:${KEY}`],
  ['a short key', 'ada:0123456789abcde'],
  ['no key', 'ada:'],
  ['a key with a space', `ada:${KEY} ${KEY}`],
  ['an entry that is empty', `ada:${KEY},`],
  ['a name that is given twice', `ada:${KEY},ada:${OTHER}`],
  ['a key that is given twice', `ada:${KEY},grace:${KEY}`],
  ['the name of OPERATOR_KEY', `operator:${KEY}`],
])('%s is refused at the start, and the text holds no key', (_, given) => {
  expect(() => read(given)).toThrow('OPERATOR_KEYS: ');
  expect(() => read(given)).not.toThrow(KEY);
});

test('OPERATOR_KEY is nobody else’s', () => {
  expect(() => read(`ada:${KEY}`, { OPERATOR_KEY: KEY })).toThrow(
    'OPERATOR_KEYS: OPERATOR_KEY has the same key',
  );
});

test('a weak key is refused in production alone, in either setting', () => {
  const weak = 'abcabcabcabcabcabcabc';
  expect(() => read(`ada:${weak}`, inProduction)).toThrow('OPERATOR_KEYS: ada: a random key is required');
  expect(() => read(`ada:${KEY}`, { ...inProduction, OPERATOR_KEY: weak })).toThrow(
    'OPERATOR_KEY: a random key',
  );
  expect(read(`ada:${KEY}`, inProduction)).toHaveLength(1);
  expect(read(`ada:${weak}`)).toHaveLength(1);
});
