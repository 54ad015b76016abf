import { isFirm } from '../../../domain/sanctions-screening/firm-names.ts';
import { isReadWhole, queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { listedCompany, listedPerson } from '../../factories/ways-to-name.ts';

// Ways to write a listed name beside others in one field; each hid the name once.
const PERSON = 'Nicolas Maduro Moros';
const SHORT = 'Barnabas Ravenscrofft';
const FIRM = 'Petrograd General Trading LLC';
const withNative = (id: string, latin: string, native: string) =>
  listEntry(id, latin, {
    names: [
      { text: latin, kind: 'primary' },
      { text: native, kind: 'original_script' },
    ],
  });
const index = buildIndex([
  listedPerson,
  listedCompany,
  listEntry('P2', 'RAVENSCROFFT, Barnabas'),
  withNative('W', 'WANG, Xiaoming', '王小明'),
  withNative('K', 'KIM, Jong Un', '김정은'),
  listEntry('R', 'ROSNEFT', { type: 'organisation' }),
]);
const bestOf = (name: string): number => search(index, queryOf({ name }))[0]?.score ?? 0;

const struck = (text: string) => Array.from(text, (letter) => `${letter}\u0336`).join('');
const JOINERS = ['and', 'et', 'y', 'e', 'i', 'o', 'en', 'eller', 'lub', 'with', 'mit', 'avec', 'та'];
const OTHER_JOINERS = (
  'eller lub vagy veya või dhe nebo alebo або أو או ή または 或 và atau samt as_well_as ainsi_que así_como assim_como ' +
  'z_domu rozená rođena född født syntynyt kızlık_soyadı'
)
  .split(' ')
  .map((word) => word.replaceAll('_', ' '));
const BESIDE = ['−', '‒', '∕', '⁄', '؛', '¦', '‖', '∙', '⋅', '・', '➜', '▪', '†', '§', '!'];
const AROUND = ['‹›', '⟨⟩', '⟪⟫', '❝❞', '❨❩', '〘〙', '⦅⦆', '()', '«»'];

test.each([
  ...JOINERS.flatMap((word) => [
    `Anna Keller ${word} ${FIRM}`,
    `${FIRM} ${word} Anna Keller`,
    `Huber Shipping GmbH ${word} ${FIRM}`,
    `Huber Shipping GmbH ${word} ${PERSON}`,
  ]),
  ...['alias', 'formerly', 'c/o', 'on behalf of', 'nominee for', 'represented by'].map(
    (word) => `Peter Miller ${word} ${FIRM} and Anna Keller`,
  ),
  `Peter Miller alias ${PERSON} and Anna Keller`,
  `Peter Miller formerly ${PERSON} and Anna Keller`,
  `Anna Keller for ${PERSON} and Eva Huber`,
  `Anna Keller and ${FIRM}, tax number 1234567`,
  `Anna Keller/UBO ${SHORT}`,
  `Huber AG/UBO ${SHORT}`,
  `Anna Keller/beneficiary ${SHORT}`,
  // The letters а, с and о are Cyrillic.
  `Anna Keller \u0430.k.\u0430. ${PERSON}`,
  `Anna Keller \u0441/\u043e ${PERSON}`,
  `Anna Keller \u0430nd ${PERSON}`,
  `Anna Keller \u0430li\u0430s ${PERSON}`,
  struck(`Anna Keller and ${PERSON}`),
  struck(`Anna Keller a.k.a. ${PERSON}`),
  struck(`Anna Keller - ${PERSON}`),
  ...BESIDE.map((sign) => `Anna Keller ${sign} ${SHORT}`),
  ...AROUND.map((pair) => `Anna Keller ${Array.from(pair).join(SHORT)}`),
  'Barnabas NA Ravenscrofft',
  'NA Barnabas Ravenscrofft',
  'Barnabas null Ravenscrofft',
  // Han and Hangul are written without spaces.
  '李华/王小明',
  '李华（王小明）',
  '李华、王小明',
  '李华；王小明',
  '李华 - 王小明',
  '姓名：王小明',
  '王小明先生',
  '王小明 先生',
  '박철수/김정은',
  '박철수 (김정은)',
  '박철수, 김정은',
  '박철수 및 김정은',
  '박철수와 김정은',
  '성명: 김정은',
  '김정은 씨',
  '김정은씨',
  'السيد نيكولاس مادورو موروس',
  'אדון ניקולס מדורו מורוס',
  ...['\u3164', '\uffa0', '\u200b', '\u2800'].map((blank) => `Anna Keller and ${SHORT.replace(' ', blank)}`),
  '김정은 위원장',
  '김정은위원장님',
  '王小明主席',
  '王小明 博士',
  // One name in two scripts, or two names.
  `${SHORT} بارناباس رافينسكروفت`,
  `بارناباس رافينسكروفت ${SHORT}`,
  `${SHORT} Барнабас Рэйвенскрофт`,
  `${SHORT} ברנבס רייבנסקרופט`,
  `Peter Miller / ${SHORT} بارناباس`,
  'Nicolas Maduro نيكولاس مادورو',
  'Николас Мадуро Nicolas Maduro',
  '王小明Wang Xiaoming',
  'Anna Keller王小明',
  `${FIRM} بتروغراد للتجارة العامة`,
  ...OTHER_JOINERS.map((word) => `Anna Keller ${word} ${SHORT}`),
  // A legal form that the list leaves out.
  'Rosneft Ltd',
  'Rosneft LLC',
  'PJSC Rosneft',
  'OJSC Rosneft',
  'Rosneft GmbH',
])('%s is found', (name) => {
  expect(bestOf(name)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each([
  // Words such as "y" join the words of one firm far more often than two firms.
  ['Compañía de Petróleo y Gas Natural SA', 'Gas Natural SA'],
  ['Maquinaria Técnica y Tierras Ltda', 'Tierras Ltda'],
  ['Oil and Gas Ltd', 'Gas Ltd'],
])('%s is not %s', (name, listed) => {
  const others = buildIndex([listEntry('C9', listed, { type: 'organisation' })]);
  const [best] = search(others, queryOf({ name, type: 'LEGAL' }));
  expect(best?.score ?? 0).toBeLessThan(MATCH_THRESHOLD);
});

/** Every way in which a name may stand beside another in one field. */
const WAYS: Record<string, (name: string, other: string) => string> = {
  mr: (name) => `Mr. ${name}`,
  jr: (name) => `${name}, Jr.`,
  aka: (name, other) => `${other} a.k.a. ${name}`,
  akaAfter: (name, other) => `${name} a.k.a. ${other}`,
  alias: (name, other) => `${other} alias ${name}`,
  aliasAfter: (name, other) => `${name} alias ${other}`,
  formerly: (name, other) => `${other}, formerly ${name}`,
  co: (name, other) => `${other} c/o ${name}`,
  coAfter: (name, other) => `${name} c/o ${other}`,
  behalf: (name, other) => `${other} on behalf of ${name}`,
  behalfAfter: (name, other) => `${name} on behalf of ${other}`,
  nominee: (name, other) => `${other} nominee for ${name}`,
  nomineeAfter: (name, other) => `${name} nominee for ${other}`,
  ubo: (name) => `Huber AG, UBO ${name}`,
  and: (name, other) => `${other} and ${name}`,
  andAfter: (name, other) => `${name} and ${other}`,
  amp: (name, other) => `${name} & ${other}`,
  or: (name, other) => `${other} or ${name}`,
  y: (name, other) => `${other} y ${name}`,
  brackets: (name, other) => `${other} (${name})`,
  bracketsAfter: (name, other) => `${name} (${other})`,
  slash: (name, other) => `${other} / ${name}`,
  semicolon: (name, other) => `${other}; ${name}`,
  dash: (name, other) => `${other} - ${name}`,
  comma: (name, other) => `${other}, ${name}`,
  commaAfter: (name, other) => `${name}, ${other}`,
  passport: (name) => `${name}, passport 1234567`,
  label: (name) => `Name: ${name}`,
  for: (name, other) => `${other} for ${name}`,
  forAfter: (name, other) => `${name} for ${other}`,
  nee: (name) => `${name} née Brandt`,
  estate: (name) => `Estate of ${name}`,
  firmFor: (name) => `Huber AG for ${name}`,
  firmAnd: (name) => `Huber AG and ${name}`,
  andFirm: (name) => `${name} and Huber AG`,
  account: (name) => `${name} savings account`,
  place: (name) => `${name}, Moscow`,
};
test.each(Object.keys(WAYS))('each way within "%s" is found', (outer) => {
  const missed = Object.keys(WAYS).flatMap((inner) => {
    const texts = [PERSON, SHORT].map((name) =>
      written(outer, written(inner, name, 'Peter Miller'), 'Eva Huber'),
    );
    return texts.filter(
      (text) => bestOf(text) < MATCH_THRESHOLD && isReadWhole({ name: text }, queryOf({ name: text })),
    );
  });
  expect(missed).toEqual([]);
});

function written(way: string, name: string, other: string): string {
  return WAYS[way]?.(name, other) ?? '';
}

test('a word that is a title before a name and a family name behind it is kept there', () => {
  const listed = buildIndex([listEntry('S', 'خالد محمد')]);
  const scoreOf = (name: string): number => search(listed, queryOf({ name }))[0]?.score ?? 0;
  expect(scoreOf('الشيخ خالد محمد')).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  expect(scoreOf('خالد محمد الشيخ')).toBeLessThan(1);
});

// Each took the listed company from its review before it was known as a legal form.
test.each([
  'Pvt Ltd',
  'Pvt. Ltd.',
  'Private Limited',
  'WLL',
  'W.L.L.',
  'FZC',
  'QPSC',
  'Unipessoal Lda',
  'Tic. Ltd. Sti.',
  'AS',
  'a.s.',
  'A.Ş.',
  'C.A.',
  'K.K.',
  'SAC',
  'ASA',
  'ذ.م.م',
])('the legal form %s hides no listed company with another', (form) => {
  const listed = buildIndex([listEntry('C8', 'Ravenscrofft Shipping Company', { type: 'organisation' })]);
  const [best] = search(listed, queryOf({ name: `Ravenscrofft Shipping ${form}` }));
  expect(best?.score ?? 0).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
});

test('a word that is a form only behind a word of firms is a part of other names', () => {
  expect(isFirm('Amr al-As')).toBe(false);
  expect(isFirm('Huber AS')).toBe(false);
});

test('a name in two scripts in each of two fields is found', () => {
  const query = queryOf({ firstName: 'Nicolas نيكولاس', lastName: 'Maduro مادورو' });
  expect(search(index, query)[0]?.score).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each([
  'بدون',
  'بلا',
  'אין',
  '没有',
  'nicht angegeben',
  'non renseigné',
  'geen achternaam',
  'sem sobrenome',
])('the placeholder %s hides neither a person nor a firm', (lastName) => {
  for (const firstName of [SHORT, 'Petrograd General Trading']) {
    const [best] = search(index, queryOf({ firstName, lastName }));
    expect(best?.score ?? 0).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  }
});

test.each([
  ['GARCIA, Segundo', undefined, { name: 'Segundo NMN Garcia' }],
  ['GARCIA, Segundo', undefined, { firstName: 'Segundo FNU', lastName: 'Garcia' }],
  ['GARCIA, Segundo', undefined, { name: 'Segundo Garcia sin segundo nombre' }],
  ['PLA, Albert', 'ألبرت بلا', { firstName: 'ألبرت', lastName: 'بلا' }],
  ['BIDUN, Omar', 'عمر بدون', { firstName: 'عمر', lastName: 'بدون' }],
  ['EIN, Dan', 'דן אין', { firstName: 'דן', lastName: 'אין' }],
])('a word that is also a name is one: %s', (latin, native, fields) => {
  const listed = buildIndex([native === undefined ? listEntry('S', latin) : withNative('S', latin, native)]);
  expect(search(listed, queryOf(fields))[0]?.score ?? 0).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each(['Eller', 'Lub'])('the family name %s between others parts no name of one person', (word) => {
  const listed = buildIndex([listEntry('A', 'SMITH, Ann')]);
  const query = queryOf({ name: `Mary Ann ${word} Smith` });
  expect(search(listed, query)[0]?.score ?? 0).toBeLessThan(MATCH_THRESHOLD);
});
