import { readSettings } from '../../../process/settings.ts';
import { failedCheck, sentinelsOf } from '../../../domain/sanctions-lists/import-checks.ts';
import { listSources } from '../../../domain/sanctions-lists/list-source.ts';
import { nameKey } from '../../../domain/sanctions/name-key.ts';

const sourcesOf = (env: Record<string, string>) =>
  listSources(readSettings(env)).map(({ code, format, urls }) => `${code} ${format} ${urls.length}`);

test('a sandbox fetches nothing by itself, production the lists that anybody may fetch', () => {
  expect(sourcesOf({})).toEqual([]);
  expect(sourcesOf({ ENVIRONMENT: 'production' })).toEqual([
    'OFAC_SDN OFAC_XML 1',
    'OFAC_CONS OFAC_XML 1',
    'UN_SC UN_XML 1',
    'UK_SL UK_CSV 1',
  ]);
});

test('an address is taken in any environment, off ends a default, and the format follows', () => {
  expect(
    sourcesOf({
      LISTS_OFAC_SDN_URL: 'https://a.example/sdn.csv, https://a.example/alt.csv',
      LISTS_OFAC_CONS_URL: 'https://a.example/CONS_PRIM.CSV?x=1',
      LISTS_EU_FSF_URL: 'http://mirror.internal/eu?token=1',
      LISTS_OPENSANCTIONS_URL: 'https://a.example/entities.ftm.json',
    }),
  ).toEqual(['OFAC_SDN OFAC_CSV 2', 'OFAC_CONS OFAC_CSV 1', 'EU_FSF EU_XML 1', 'OPENSANCTIONS FTM_JSONL 1']);
  expect(sourcesOf({ ENVIRONMENT: 'production', LISTS_UN_SC_URL: 'OFF' })).not.toContain('UN_SC UN_XML 1');
});

test.each(['ftp://a.example/x', 'no address', 'https://a.example/x, off', ','])(
  'a setting that is no address stops the start: %s',
  (value) => {
    expect(() => readSettings({ LISTS_UN_SC_URL: value })).toThrow(/^LISTS_UN_SC_URL: an http\(s\) address/);
  },
);

const contents = {
  code: 'X',
  entries: 1_000,
  names: 2_000,
  wallets: 100,
  faults: 0,
  active: 1_000,
  activeNames: 2_000,
  activeWallets: 100,
  sentinels: 0,
  acceptShrink: false,
};

test.each([
  [{}, undefined],
  [{ entries: 900 }, undefined],
  [{ entries: 899 }, 'SHRUNK'],
  [{ entries: 899, acceptShrink: true }, undefined],
  [{ names: 1_800 }, undefined],
  [{ names: 1_799 }, 'SHRUNK'],
  [{ names: 1_799, acceptShrink: true }, undefined],
  [{ wallets: 90 }, undefined],
  [{ wallets: 89 }, 'SHRUNK'],
  [{ wallets: 0, acceptShrink: true }, undefined],
  [{ wallets: 21, activeWallets: 30 }, undefined],
  [{ wallets: 20, activeWallets: 30 }, 'SHRUNK'],
  [{ wallets: 0, activeWallets: 3 }, 'SHRUNK'],
  [{ wallets: 0, activeWallets: 0 }, undefined],
  [{ entries: 0, acceptShrink: true }, 'EMPTY'],
  [{ entries: 0, active: 0 }, 'EMPTY'],
  [{ faults: 1 }, 'FAULTS'],
  [{ faults: 1, entries: 1_001 }, undefined],
  [{ faults: 1, acceptShrink: true }, 'FAULTS'],
  [{ code: 'OFAC_SDN', sentinels: 5 }, 'SENTINELS_MISSING'],
  [{ code: 'OFAC_SDN', sentinels: 6 }, undefined],
])('gates: %o is %s', (changes, reason) => {
  expect(failedCheck({ ...contents, ...changes })).toBe(reason);
});

test('single sentinels may be delisted, most of them not', () => {
  expect(sentinelsOf('OFAC_SDN')).toHaveLength(12);
});

test.each([
  ['Müller, Jörg', 'muller jorg'],
  ['  AL-QA’IDA ', 'al qaida'],
  ['Иван Петров', 'ivan petrov'],
  ['Smith & Sons Ltd.', 'smith and sons ltd'],
  ['😀 —', ''],
])('the key of %s is %s', (name, key) => {
  expect(nameKey(name)).toBe(key);
});
