import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { REVIEW_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import { joinsApart } from '../../../domain/sanctions-screening/glued-joins.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import { isReadWhole, queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { listedPerson } from '../../factories/ways-to-name.ts';
import { cpuGrowth } from '../../cpu-growth.ts';

const inScript = (id: string, latin: string, text: string) =>
  listEntry(id, latin, { names: [{ text, kind: 'original_script' }] });
const index = buildIndex([
  listedPerson,
  inScript('P2', 'CHEN, Quanguo', '陈全国'),
  inScript('P3', 'KIM, Yong Chol', '김영철'),
  inScript('P4', 'RAMADAN, Taha', 'طه رمضان'),
  inScript('P7', 'WAJIDAN, Taha', 'طه وجيدان'),
  inScript('P5', 'JUMBLATT, Walid', 'وليد جنبلاط'),
  listEntry('P8', 'NOORZAI, Taha Wajid'),
  inScript('P9', 'LI, Heping', '李和平'),
  inScript('P13', 'KALININ, Vladimir Vladimirovich', 'ולדימיר ולדימירוביץ קלינין'),
  inScript('P14', 'SHAWKAT, Asef', 'آصف شوكت'),
  inScript('P10', 'SUZUKI, Wataro', '鈴木和太郎'),
  listEntry('P11', 'HADDAD, Jamal'),
  inScript('P12', 'HASAN, Khalid', 'ハーリド・ハッサン'),
  listEntry('P6', 'PUTIN, Vladimir', {
    names: [
      'ולדימיר פוטין',
      'ვლადიმერ პუტინი',
      'Վլադիմիր Պուտին',
      'ウラジーミル・プーチン',
      '블라디미르 푸틴',
    ].map((text) => ({ text, kind: 'original_script' as const })),
  }),
]);
const bestOf = (body: SanctionsSearchBody): number => search(index, queryOf(body))[0]?.score ?? 0;

test.each([
  'سارة كيلر ونيكولاس مادورو موروس',
  'نيكولاس مادورو موروس وسارة كيلر',
  'سارة كيلر وَنيكولاس مادورو موروس',
  'سارة كيلر ومريم كيلر ونيكولاس مادورو موروس',
  'سارة كيلر ونيكولاس مادورو موروس ومريم وسام كيلر',
  'سارة كيلر والسيد نيكولاس مادورو موروس',
  'سارة ونيكولاس مادورو موروس',
  'سارة كيلر وهند ونيكولاس مادورو موروس',
  'سارة كيلر وطه وجيدان',
  'سارة كيلر وطه رمضان',
  'سارة كيلر ووليد جنبلاط',
  'شركة كيلر للتجارة ونيكولاس مادورو موروس',
  'שרה קלר וניקולס מדורו מורוס',
  'ניקולס מדורו מורוס ושרה קלר',
  'שרה קלר וולדימיר פוטין',
  'שרה קלר ו ולדימיר פוטין',
  'سارة كيلر \ufeedنيكولاس مادورو موروس',
  'سارة كيلر &#1608;نيكولاس مادورو موروس',
  '王小明和陈全国',
  '王小明和 陈全国',
  '王小明 和陈全国',
  '王小明和陈 全国',
  '王 小明和陈全国',
  '陈全国和 王小明',
  '陈全国和王小明',
  '王小明與陈全国',
  '王小明及陈全国',
  '王小明以及陈全国',
  '尼古拉斯·马杜罗·莫罗斯与王小明',
  '山田太郎とウラジーミル・プーチン',
  '山田太郎と陈 全国',
  'ウラジーミル・プーチンおよび山田太郎',
  // A name with the letter in its middle, of two words that begin with it.
  'سارة كيلر وطه واجد نورزاي',
  'سارة وطه واجد نورزاي',
  'שרה קלר וולדימיר ולדימירוביץ קלינין',
  'سارة كيلر وطه-رمضان',
  'سارة-كيلر وطه رمضان',
  'كيلر،سارة وطه رمضان',
  'سارة كيلر وطَه رمضان',
  'سارة كيلر ونِيكولاس مادورو موروس',
  'سارة كيلر ود. طه رمضان',
  'שרה קלר וד"ר ולדימיר פוטין',
  'שרה קלר וג׳מאל חדאד',
  // "And Asef" is not Wasif.
  'سارة كيلر وآصف شوكت',
  'طه رمضان وابنه',
  'طه رمضان وأولاده',
  'طه رمضان وزوجته',
  'سارة كيلر وأولاده وطه رمضان',
  'ולדימיר פוטין ואשתו',
  "ולדימיר פוטין ושות'",
  '王小明和李和平和陈全国和王大伟',
  '山田 和一郎と鈴木 和太郎と佐藤一郎',
  '山田さくらと陈全国',
  '山田太郎とハーリド・ハッサン',
  '홍길동과 김영철',
  '블라디미르 푸틴과 홍길동',
  'Աննա Կելլեր և Վլադիմիր Պուտին',
  'ანა კელერი და ვლადიმერ პუტინი',
])('a listed holder is found behind and before an "and" as each script writes it: %s', (name) => {
  expect(bestOf({ name })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  expect(bestOf({ name: 'Anna Keller', aliases: [name] })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
});

test('the first and the second holder are found in the two fields of a name', () => {
  const [firstName, lastName] = ['سارة كيلر', 'ونيكولاس مادورو موروس'];
  expect(bestOf({ firstName, lastName })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
});

test.each(['وليد جنبلاط', 'ולדימיר פוטין'])('the letter that begins a name stays its own: %s', (name) => {
  expect(queryOf({ name }).names).toContain(name);
  expect(bestOf({ name })).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
});

test.each(['王和平', '欧阳和平', '及川一郎', '山田和夫', 'شركة النفط والغاز', 'أحمد ومحمد'])(
  'what is written stays a name: %s',
  (name) => {
    expect(queryOf({ name }).names).toContain(name);
  },
);

test.each([
  'محمد خالد وجيدان',
  'محمد وجيدان خالد',
  'محمد ولد خالد',
  'محمد خالد ولد سالم عمر',
  'משה חיים ויסברג',
  'משה וולף כהן',
  'شاه محمد ولی خان',
  'محمد وحید کریمی',
  'משה חיים וייס-כהן',
  "מוחמד וג'די עלי כהן",
])('a name that begins with the letter of an "and" is none of another holder: %s', (name) => {
  expect(joinsApart(name)).toEqual([]);
});

test('what a firm does in Hiragana joins nobody, nor do its sons alone', () => {
  for (const name of ['まると水産株式会社', 'ふるさと商事株式会社', 'やまもと太郎', 'محمد وأولاده'])
    expect(joinsApart(name)).toEqual([]);
});

// Of many joins each two neighbours are one name in one of three readings.
test('many holders are read in three ways', () => {
  const name = ['王小明', '李和平', '陈全国', '王大伟', '张伟'].join('和');
  const readings = joinsApart(name);
  expect(readings).toHaveLength(3);
  for (const pair of ['李和平', '陈全国和王大伟']) expect(readings.join('& ').split('& ')).toContain(pair);
});

test('the part of a given name and the oil and gas of a firm join nobody', () => {
  for (const name of ['王和平', '欧阳和平', '及川一郎', '山田和夫', 'شركة النفط والغاز'])
    expect(joinsApart(name)).toEqual([]);
});

test('holders are counted as those that a sign parts', () => {
  const joined = (count: number) => ({
    name: Array.from({ length: count }, (_, at) => `سارة ${'ابتثجحخدذرزسش'.slice(at, at + 4)}كيلر`).join(
      ' و',
    ),
  });
  expect(isReadWhole(joined(6), queryOf(joined(6)))).toBe(true);
  expect(queryOf(joined(60)).names.length).toBeLessThanOrEqual(65);
});

// What such a firm does is many words of a name, and none of them a holder.
test.each([
  ['شركة محمد أحمد وإخوانه للتجارة العامة ومقاولات البناء وصيانة الطرق ونقل البضائع وتأجير السيارات'],
  [
    'شركة الأمل لاستيراد وتصدير وتوزيع وتسويق وتعبئة المواد الغذائية',
    'شركة الأمل لاستيراد وتصدير وتوزيع وتسويق وتعبئة المواد الغذائية المحدودة',
  ],
  ['سارة مريم كيلر وأحمد خالد حداد وعمر يوسف منصور وليلى هدى نصار وسالم علي خوري ونور سامي جابر'],
])('a firm of many words and six holders are read to their end: %s', (name, ...aliases) => {
  const body = { name, ...(aliases.length > 0 && { aliases }) };
  expect(isReadWhole(body, queryOf(body))).toBe(true);
});

test.each([
  ['و', 'وو '],
  ['and', 'سا وسا '],
  ['Hebrew', 'שר ושר '],
  ['Han', '王小和'],
  ['only 和', '和'],
  ['Kana', 'アンと'],
])('a long text is looked through once: %s', async (_, part) => {
  const ofLetters = (letters: number) => joinsApart(part.repeat(letters / part.length));
  const growth = await cpuGrowth(ofLetters, { few: 2_500, many: 10_000, enough: 9 });
  expect(growth).toBeLessThan(9);
});
