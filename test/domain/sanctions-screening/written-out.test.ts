import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import { queryOf } from '../../../domain/sanctions-screening/subject.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import { listEntry } from '../../factories/sanctions.ts';

const native = (id: string, name: string, other: string): ListEntry =>
  listEntry(id, name, {
    names: [
      { text: name, kind: 'primary' },
      { text: other, kind: 'original_script' },
    ],
  });

const index = buildIndex([
  listEntry('SECHIN', 'SECHIN, Igor'),
  listEntry('IVANOV', 'IVANOV, Ivan Vasilievich'),
  listEntry('RAVENSCROFT', 'RAVENSCROFT, Barnabas'),
  listEntry('GARCIA', 'GARCIA LOPEZ, Jose Maria'),
  listEntry('MANZANO', 'MANZANO, Jose Luis'),
  native('MADURO', 'MADURO MOROS, Nicolas', 'ניקולס מדורו מורוס'),
  native('ASAD', 'AL-ASAD, Bashar Hafiz', 'بشار حافظ الأسد'),
  native('ALI', "'ALI, Muhammad", 'محمد علي'),
  native('YAMADA', 'YAMADA, Taro', '山田太郎'),
  native('KIM', 'KIM, Jong Un', '김정은'),
  native('WANG', 'WANG, Xiaoming', '王小明'),
  listEntry('VTB', 'VTB BANK PJSC', { type: 'organisation' }),
]);

const scoreOf = (id: string, body: SanctionsSearchBody): number =>
  search(index, queryOf(body)).find(({ entry }) => entry.sourceId === id)?.score ?? 0;

test.each([
  ['SECHIN', 'Sechin I.I.'],
  ['SECHIN', 'I.I. Sechin'],
  ['SECHIN', 'Sechin, I.I.'],
  ['IVANOV', 'Ivanov I.V.'],
  ['IVANOV', 'I.V. Ivanov'],
  ['RAVENSCROFT', 'Barnabas Ravenscroft M.D.'],
])('initials that may be a suffix are compared both ways: %s %s', (id, name) => {
  expect(scoreOf(id, { name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['José Mª García López', 'José M.ª García López', 'Jose Ma. Garcia Lopez'])(
  'a short form of María is written out: %s',
  (name) => expect(scoreOf('GARCIA', { name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD),
);

test.each<[string, SanctionsSearchBody]>([
  ['YAMADA', { name: '山田 太郎' }],
  ['YAMADA', { name: '山田　太郎' }],
  ['YAMADA', { name: '山田太郎さん' }],
  ['YAMADA', { firstName: '太郎', lastName: '山田' }],
])('family and given name in Han may stand apart: %s %j', (id, body) => {
  expect(scoreOf(id, body)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each<[string, SanctionsSearchBody]>([
  ['VTB', { firstName: 'Anna Keller', lastName: 'VTB BANK PJSC' }],
  ['VTB', { firstName: 'VTB BANK PJSC', lastName: 'Keller' }],
])('a firm in one of the two fields of a name is compared alone: %s %j', (id, body) => {
  expect(scoreOf(id, body)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['King', 'Prince', 'Marshal', 'Judge', 'Shaikh', 'Imam', 'Captain', 'Master', 'Dear'])(
  'the last name %s is not taken for a title, which would leave given names alone',
  (lastName) => {
    expect(scoreOf('MANZANO', { firstName: 'Jose Luis', lastName })).toBeLessThan(MATCH_THRESHOLD);
  },
);
test('nor is السيد', () => {
  expect(scoreOf('ALI', { firstName: 'محمد علي', lastName: 'السيد' })).toBeLessThan(MATCH_THRESHOLD);
});
test('a title in the field of the first name is left out', () => {
  const body = { firstName: 'Shaikh', lastName: 'Barnabas Ravenscroft' };
  expect(scoreOf('RAVENSCROFT', body)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each([
  'ד״ר ניקולס מדורו מורוס',
  'עו״ד ניקולס מדורו מורוס',
  'ניקולס מדורו מורוס ז״ל',
  'גב׳ ניקולס מדורו מורוס',
])('a Hebrew title with gershayim hides nobody: %s', (name) =>
  expect(scoreOf('MADURO', { name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD),
);

test.each(['د.', 'أ.د.', 'م.', 'الحاج', 'المرحوم', 'حضرة السيد', 'ورثة'])(
  'an Arabic title hides nobody: %s',
  (title) =>
    expect(scoreOf('ASAD', { name: `${title} بشار حافظ الأسد` })).toBeGreaterThanOrEqual(MATCH_THRESHOLD),
);

test.each([
  ['KIM', '예금주 김정은'],
  ['KIM', '수취인 김정은'],
  ['WANG', '收款人 王小明'],
  ['WANG', '户名 王小明'],
])('a role stands before a name of one word: %s %s', (id, name) => {
  expect(scoreOf(id, { name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['dan', 'ir', 'un', 'ile', 'cùng', 'และ', 'और'])('"%s" joins two whole names', (word) => {
  const name = `Anna Keller ${word} Barnabas Ravenscroft`;
  expect(scoreOf('RAVENSCROFT', { name })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});
test('"Un" within a name joins nobody', () => {
  expect(scoreOf('KIM', { name: 'Kim Jong Un' })).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  expect(queryOf({ name: 'Kim Jong Un Keller' }).names).not.toContain('Kim Jong');
});
