import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import { isReadWhole, queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { cpuGrowth } from '../../cpu-growth.ts';
import { leastCpuMs } from '../../least-cpu-ms.ts';

const firm = (id: string, name: string) => listEntry(id, name, { type: 'organisation' });
const index = buildIndex([
  firm('1', 'RAVENSCROFT TRADING CORPORATION'),
  firm('2', 'LLC APPLICATA'),
  firm('3', 'JOINT STOCK COMPANY VREMYA CH'),
  firm('4', 'GARANTEX'),
  firm('5', 'GLOBAL CENTRAL LOGISTICS FZCO'),
  firm('6', 'LORD’S REDEMPTION ARMY'),
  listEntry('7', 'RAVENSCROFT, Barnabas'),
  listEntry('8', 'HORIZON', { type: 'vessel' }),
]);
const found = (body: SanctionsSearchBody) =>
  search(index, queryOf(body), { threshold: 0.88 }).map(({ entry }) => entry.sourceId);

const LISTED = [
  ['1', 'Ravenscroft Trading Corporation'],
  ['2', 'LLC Applicata'],
  ['3', 'Joint Stock Company Vremya CH'],
  ['4', 'Garantex'],
] as const;

test.each(
  LISTED.flatMap(([id, name]) => [
    [id, { name: `Miller nominee ${name}` }],
    [id, { name: `Miller nominee for ${name}` }],
    [id, { name: `John Miller nominee ${name}` }],
    [id, { firstName: 'Miller', lastName: `nominee ${name}` }],
    [id, { firstName: 'John', lastName: `Miller for ${name}` }],
    [id, { name: `John Miller for ${name}` }],
    [id, { type: 'NATURAL', name: `John Miller for ${name}` }],
    [id, { name: `Miller Trading LLC for ${name}` }],
    [id, { name: `${name} for Miller Trading LLC` }],
    [id, { name: `UBO ${name}` }],
  ]) as [string, SanctionsSearchBody][],
)('a listed firm %s for whom somebody acts is found: %j', (id, body) => {
  expect(found(body)).toContain(id);
});

test.each([
  ['1', 'a subsidiary of Ravenscroft Trading Corporation'],
  ['4', 'a subsidiary of Garantex'],
  ['4', 'Huber LLC (subsidiary of Garantex)'],
  ['1', 'Dubai branch of Ravenscroft Trading Corporation'],
  ['1', 'John Miller, employee of Ravenscroft Trading Corporation'],
  ['3', 'John Miller, employee of Joint Stock Company Vremya CH'],
  ['1', 'Ravenscroft Trading Corporation wallet'],
  ['1', 'Ravenscroft Trdg Corpn'],
  ['5', 'Miller Trading LLC and Global Central Logistics FZCO'],
  ['6', 'L o r d ’ S   R e d e m p t i o n   A r m y'],
])('what is written beside the name of a listed firm hides it not: %s, %s', (id, name) => {
  expect(found({ name })).toContain(id);
});

test.each([
  'Anna Miller for Garantex and Huber Ltd',
  'Anna Miller representing Garantex',
  'Miller Trading LLC representing Garantex',
  'representing Garantex',
  'acting for Garantex',
  'Anna Miller on behalf/acting for Garantex, passport 123',
  'Anna Miller for Garantex passport 123',
  'Anna Miller for Garantex Moscow',
  'Anna Miller for Garantex, Moscow',
  'Anna Miller for the company Garantex',
  'Anna Miller acting for the exchange Garantex',
  'Anna Miller für die Firma Garantex',
  'Anna Miller for wallet Garantex',
  'Anna Miller employee of Garantex',
])('a listed firm of one word is found behind what says that somebody acts for it: %s', (name) => {
  for (const type of [undefined, 'NATURAL', 'LEGAL'] as const)
    expect(found({ name, ...(type && { type }) })).toContain('4');
});

test.each(['Anna Miller for Horizon', 'Huber Trading LLC for Horizon', 'Anna Miller representing Horizon'])(
  'a firm for whom somebody acts is not compared with vessels: %s',
  (name) => {
    expect(found({ name })).toEqual([]);
    expect(found({ name: 'Horizon' })).toEqual(['8']);
  },
);

test.each([
  'Center for Applied Research LLC',
  'Representing Garantex Arts GmbH',
  'Acting Garantex GmbH',
  'Foundation for Garantex Moscow',
  'Anna Garantex Moscow',
  'Peter Friend Garantex',
  'Garantex Agents for Change Ltd',
  'Foundation for Global Central Logistics',
  'Lars Johan Per Garantex',
  'Anna Maria By Garantex',
  'Bank for Foreign Trade Ltd',
  'Miller Nominees Limited',
  'Customer Service Garantex Huber LLC',
  'Foundation for Garantex Studies',
  'Research Center for Applicata',
  'Anna Trading',
])('the name of another firm is not taken for it: %s', (name) => {
  expect(found({ name })).toEqual([]);
});

test.each([
  ...['😀', '🚀', '★', '‖', '👍🏽', '⚡️', '$'].map((sign) => Array.from('Barnabas Ravenscroft').join(sign)),
  Array.from('Barnabas').join('😀') + ' Ravenscroft',
  Array.from('Barnabas Ravenscroft')
    .map((one) => `\\u00${one.charCodeAt(0).toString(16)}`)
    .join(''),
  Array.from('Barnabas Ravenscroft')
    .map((one) => `\\x${one.charCodeAt(0).toString(16)}`)
    .join(''),
  '\\u{42}arnabas Ravenscroft',
  ...['\\ud835\\udc01', '\\u{d835}\\u{dc01}', '&#xd835;&#xdc01;', '&#55349;&#56321;'].map(
    (bold) => `${bold}arnabas Ravenscroft`,
  ),
  'Anna Miller, citizen of Austria, and Barnabas Ravenscroft, citizen of Russia',
  'Anna Miller passport 12345 and Barnabas Ravenscroft passport 67890',
  'Last name: Ravenscroft, First name: Barnabas',
  'Surname Ravenscroft Given names Barnabas',
  'Name: Barnabas Surname: Ravenscroft',
  'LastName=Ravenscroft;FirstName=Barnabas',
  'Vorname: Barnabas Nachname: Ravenscroft',
  'Фамилия Ravenscroft Имя: Barnabas',
  'Barnabas Ravenscroft, citizen of Austria',
  'Barnabas Ravenscroft Passport No. AB1234567',
  'Barnabas Ravenscroft D.O.B. 1 May 1970',
])('neither signs, escapes, names of fields nor particulars hide a listed person: %s', (name) => {
  expect(found({ name })).toContain('7');
});

test('more firms in a name than are compared are not read to their end', () => {
  const acting = (count: number) => ({
    name: 'Anna Huber',
    aliases: Array.from(
      { length: count },
      (_, at) => `Eva Huber for Keller${at} Trading LLC for Roth${at} AG`,
    ),
  });
  expect(isReadWhole(acting(5), queryOf(acting(5)))).toBe(true);
  expect(isReadWhole(acting(12), queryOf(acting(12)))).toBe(false);
});

test.each(['\\u00', 'a😀', 'for A ', 'surname ', ' nominee LLC', 'd.o.b', 'first  name'])(
  'a long text of what is taken apart is read at once: %s…',
  async (part) => {
    const name = part.repeat(Math.floor(1_000 / part.length));
    expect(await leastCpuMs(() => queryOf({ name }), 30)).toBeLessThan(30);
  },
);

const syllable = (at: number) => String.fromCharCode(0x430 + (at % 32), 0x430 + (at >> 5), 0x431);
const CYRILLIC = Array.from({ length: 250 }, (_, at) => syllable(at)).join(' ');

// Four times the letters took 7 to 15 times as long before each was read in one pass, and take 2 to 4 times as long since.
test.each<[string, (letters: number) => string, number]>([
  ['words beside a word of firms', (letters) => `Банк и ${CYRILLIC}`.slice(0, letters), 5.5],
  ['blanks', (letters) => `Anna${' '.repeat(letters)}Eva`, 7],
  ['blanks and tabs', (letters) => `Anna${' \t'.repeat(letters / 2)}Eva`, 7],
  ['commas', (letters) => `Anna Huber${','.repeat(letters)}Bank Eva`, 7],
])('the time for a name grows with its letters, not with their square: %s', async (_, nameOf, enough) => {
  const growth = await cpuGrowth((letters) => queryOf({ name: nameOf(letters) }), {
    few: 240,
    many: 960,
    enough,
  });
  expect(growth).toBeLessThan(enough);
});

// Four times the blanks took 30 to 60 times as long while a pattern could part them in three places, and take 2 to 4 times as long since.
test.each<[string, (letters: number) => string]>([
  ['behind "fbo"', (letters) => `a fbo${' '.repeat(letters)}b`],
  ['with blanks of HTML', (letters) => `a fbo${'&nbsp;'.repeat(letters / 2)}b`],
  ['with signs of no width', (letters) => `a fbo${' \u200b'.repeat(letters / 2)}b`],
])('blanks before a word of an account take no time with their cube: %s', async (_, nameOf) => {
  const growth = await cpuGrowth((letters) => search(index, queryOf({ name: nameOf(letters) })), {
    few: 180,
    many: 720,
    enough: 12,
  });
  expect(growth).toBeLessThan(12);
});

test.each(['Huber Trust Co  FBO\tBarnabas   Ravenscroft  Roth   IRA', 'FBO FBO Barnabas Ravenscroft IRA'])(
  'the owner of a retirement account is found: %j',
  (name) => {
    expect(found({ name })).toContain('7');
  },
);

test('a new line among blanks still stands between two names', () => {
  expect(found({ name: 'Anna Huber  \n  Barnabas Ravenscroft' })).toEqual(['7']);
});
