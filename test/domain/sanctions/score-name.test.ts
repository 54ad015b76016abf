import { compareNames } from '../../../bench/sanctions/compare-names.ts';
import type { EntryType } from '../../../domain/sanctions/list-entry.ts';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import { listEntry } from '../../factories/sanctions.ts';

const score = (query: string, listed: string, type: EntryType = 'person'): number =>
  compareNames(query, listed, type).score;

describe('a match', () => {
  test.each<[string, string, string, EntryType]>([
    ['order and case', 'maria del carmen LOPEZ', 'LOPEZ, Maria del Carmen', 'person'],
    ['accents', 'Élodie Müller', 'MULLER, Elodie', 'person'],
    ['parts joined', 'AnatolyPetrovich Vasiliev', 'VASILIEV, Anatoly Petrovich', 'person'],
    ['all parts joined', 'anatolypetrovichvasiliev', 'VASILIEV, Anatoly Petrovich', 'person'],
    ['a part split', 'Anatoly Petro vich Vasiliev', 'VASILIEV, Anatoly Petrovich', 'person'],
    ['a part said twice', 'Vasiliev Vasiliev Anatoly', 'VASILIEV, Anatoly', 'person'],
    ['a title', 'Prof. Anatoly Vasiliev', 'VASILIEV, Anatoly', 'person'],
    ['the article of an Arabic name', 'Yusuf Rashidi', 'AL-RASHIDI, Yusuf', 'person'],
    ['ways to write "servant of"', "'Abd-al-Karim Nasser", 'NASSER, Abdul Karim', 'person'],
    ['a servant in one word', 'Abdelkarim Nasser', "NASSER, 'Abd al-Karim", 'person'],
    ['a nickname', 'Ted Kowalski', 'KOWALSKI, Theodore', 'person'],
    ['the spelling of a sound', 'Mikhail Kuzmin', 'KOUZMIN, Mikhail', 'person'],
    [
      'the legal form spelled out',
      'Orion Trading GmbH',
      'ORION TRADING Gesellschaft mit beschränkter Haftung',
      'organisation',
    ],
    ['the legal form in front', 'OOO Polyus Service', 'POLYUS SERVICE LLC', 'organisation'],
    ['a generic word in another language', 'Banque Orion', 'ORION BANK', 'organisation'],
    ['dots of an abbreviation', 'A.B.C. Shipping', 'ABC SHIPPING', 'organisation'],
    ['the word for &', 'Hansen & Sons', 'HANSEN AND SONS', 'organisation'],
    ['a numeral in words', 'Second Orion Fund', '2nd ORION FUND', 'organisation'],
    ['a Roman numeral', 'Orion Fund XIV', 'ORION FUND 14', 'organisation'],
  ])('in spite of %s', (_, query, listed, type) => {
    expect(score(query, listed, type)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  });
});

describe('for review', () => {
  test.each([
    ['a wrong letter', 'Anatoly Vasiljev', 'VASILIEV, Anatoly'],
    ['a wrong first letter', 'Anatoly Casiliev', 'VASILIEV, Anatoly'],
    ['a typo in each name', 'Anatoky Vasikiev', 'VASILIEV, Anatoly'],
    ['middle names dropped', 'Anatoly Vasiliev', 'VASILIEV, Anatoly Petrovich Ivanovich'],
    ['a middle name too many', 'Anatoly Petrovich Vasiliev', 'VASILIEV, Anatoly'],
    ['an initial', 'A. Vasiliev', 'VASILIEV, Anatoly'],
  ])('%s', (_, query, listed) => {
    expect(score(query, listed)).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  });
});

describe('no match', () => {
  test.each<[string, string, string, EntryType]>([
    ['an initial and a generic word', 'Belt Finance', 'B-FINANCE LTD', 'organisation'],
    ['another given name', 'Dmitry Vasiliev', 'VASILIEV, Anatoly', 'person'],
    ['another initial', 'D. Vasiliev', 'VASILIEV, Anatoly', 'person'],
    ['initials alone', 'A. V.', 'VASILIEV, Anatoly', 'person'],
    [
      'another surname behind a long common name',
      'Rafi Hassan Tilfah al-Dulaimi',
      'AL-TIKRITI, Rafi Hassan Tilfah',
      'person',
    ],
    ['the same legal form', 'Meridian Ltd', 'ORION LTD', 'organisation'],
    ['generic words alone', 'Trading Company', 'ORION TRADING COMPANY', 'organisation'],
    ['another place in brackets', 'Orion (France) Limited', 'ORION (GERMANY) LIMITED', 'organisation'],
  ])('%s', (_, query, listed, type) => {
    expect(score(query, listed, type)).toBeLessThan(REVIEW_THRESHOLD);
  });
});

describe('a short word that alone tells an organisation', () => {
  const scoreOf = (query: string, listed: string): number => score(query, listed, 'organisation');

  test.each([
    ['SEBA Bank', 'BANK SEPAH'],
    ['SEPA Bank', 'BANK SEPAH'],
    ['SEB Bank', 'PUBLIC JOINT STOCK COMPANY SPB BANK'],
    ['Spar Bank', 'SBER BANK'],
  ])('is for review where it is spelled in another way: %s, %s', (query, listed) => {
    expect(scoreOf(query, listed)).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
    expect(scoreOf(query, listed)).toBeLessThan(MATCH_THRESHOLD);
  });

  test.each([
    ['Sepah Bank', 'BANK SEPAH'],
    ['Sber Bank PJSC', 'SBER BANK'],
    ['СЕПАХ БАНК', 'BANK SEPAH'],
    ['Mellat Insurance', 'MELLATT INSURANCE COMPANY'],
  ])('matches where it is equal, longer or of another script: %s, %s', (query, listed) => {
    expect(scoreOf(query, listed)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
  });
});

describe('the short name of a listed organisation', () => {
  const scoreOf = (query: string, listed: string): number => score(query, listed, 'organisation');

  test.each([
    ['Garantex', 'GARANTEX EUROPE OU'],
    ['Garantex Exchange', 'GARANTEX EUROPE OU'],
    ['garantex.org', 'GARANTEX EUROPE OU'],
    ['Rostec', 'STATE CORPORATION ROSTEC'],
    ['Hezbollah', 'LEBANESE HEZBOLLAH'],
  ])('is for review where the list adds only where it is from: %s, %s', (query, listed) => {
    expect(scoreOf(query, listed)).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
    expect(scoreOf(query, listed)).toBeLessThan(MATCH_THRESHOLD);
  });

  test.each([
    ['Garant', 'GARANTEX EUROPE OU'],
    ['Star Ltd', 'STAR EUROPE LTD'],
    ['Meridian Exchange', 'MERIDIAN SHIPPING EUROPE LTD'],
    ['Meridian Exchange', 'MERIDIAN LTD'],
    ['Europe Ltd', 'GARANTEX EUROPE OU'],
    ['Lebanese Bank', 'LEBANESE HEZBOLLAH'],
    ['Hezbollah', 'KATAIB HEZBOLLAH'],
  ])('is nothing else: %s, %s', (query, listed) => {
    expect(scoreOf(query, listed)).toBeLessThan(REVIEW_THRESHOLD);
  });

  test('is one whose words few listed names have', () => {
    const firms = (count: number) =>
      Array.from({ length: count }, (_, at) =>
        listEntry(String(at), `MERIDIAN ${'ABCDEFGHIJKLMNOP'[at]}X EUROPE`, { type: 'organisation' }),
      );
    const garantex = listEntry('G', 'MERIDIAN EUROPE OU', { type: 'organisation' });
    const best = (count: number) =>
      search(buildIndex([...firms(count), garantex]), { names: ['Meridian'] })[0]?.score;
    expect(best(5)).toBe(0.75);
    expect(best(15)).toBeUndefined();
  });
});

test.each(['Hezbollah', 'Hizbullah', 'حزب الله', 'Hizballah'])(
  'an organisation of many spellings is found by each: %s',
  (name) => {
    const index = buildIndex([listEntry('H', 'HIZBALLAH', { type: 'organisation' })]);
    expect(search(index, { names: [name] })[0]?.score).toBe(1);
  },
);

test('a sister ship with another number is shown but not taken for the same', () => {
  const sister = score('Orion Star 5', 'ORION STAR 6', 'vessel');
  expect(sister).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  expect(sister).toBeLessThan(MATCH_THRESHOLD);
});

test("a woman's name is not the man's", () => {
  expect(score('Antonia Perez', 'PEREZ, Antonio')).toBeLessThan(score('Antoniu Perez', 'PEREZ, Antonio'));
});

test('a name that is only a legal form is compared by it and never empty', () => {
  expect(score('Limited', 'LIMITED', 'organisation')).toBe(1);
  expect(score('Limited', 'ORION LIMITED', 'organisation')).toBeLessThan(REVIEW_THRESHOLD);
});

describe('other scripts', () => {
  test.each([
    ['Cyrillic', 'Сергей Щербаков', 'SHCHERBAKOV, Sergei'],
    ['Greek', 'Κωνσταντίνος Παπαδόπουλος', 'PAPADOPOULOS, Konstantinos'],
    ['Greek digraphs', 'Μπάμπης Ντίνος', 'DINOS, Babis'],
    ['Armenian', 'Վարդան Պետրոսյան', 'PETROSYAN, Vardan'],
    ['Georgian', 'გიორგი ბერიძე', 'BERIDZE, Giorgi'],
    ['Arabic', 'خالد عبد الرحمن الحسيني', 'AL-HUSSEINI, Khalid Abdul Rahman'],
    ['Arabic with the name of God', 'سيف الله محمود', 'MAHMOUD, Saifullah'],
    ['Persian', 'پرویز گلستانی', 'GOLESTANI, Parviz'],
    ['Hebrew', 'משה כהן', 'COHEN, Moshe'],
    ['Hebrew with geresh', "ג'ורג' חדאד", 'HADDAD, Jorj'],
    ['Han', '王国强', 'WANG, Guoqiang'],
    ['Han, given name first', '国强 王', 'WANG, Guo Qiang'],
    ['Kana', 'ヤマモト・ケンジ', 'YAMAMOTO, Kenji'],
    ['Hangul', '김성철', "KIM, Song Ch'ol"],
    ['Hangul, given name first', '성철 김', 'KIM, Song-chol'],
  ])('%s finds the name in Latin letters', (_, query, listed) => {
    expect(score(query, listed)).toBeGreaterThanOrEqual(REVIEW_THRESHOLD);
  });

  test.each([
    ['Arabic', 'خالد الحسن', 'AL-HUSSEINI, Khalil'],
    ['Han', '王国强', 'WANG, Guoqing'],
    ['Hangul', '김성철', 'KIM, Jong Il'],
    ['Cyrillic', 'Сергей Щербаков', 'SHCHERBINA, Sergei'],
  ])('%s does not find a name that is only near', (_, query, listed) => {
    expect(score(query, listed)).toBeLessThan(REVIEW_THRESHOLD);
  });

  test.each([
    ['vowel points and the stretching mark', 'مُحَمَّـد خالد', 'محمد خالد'],
    ['Persian and Arabic letters', 'علی کریمی', 'علي كريمي'],
    ['zero-width joiners and direction marks', '\u200fمح\u200dمد\u200e خالد', 'محمد خالد'],
    ['full-width letters', 'ＫＩＭ Ｓｏｎｇ', 'KIM SONG'],
    ['precomposed and decomposed accents', 'Jos\u00e9 Nu\u00f1ez', 'Jose\u0301 Nun\u0303ez'],
  ])('%s make no difference', (_, query, listed) => {
    expect(score(query, listed)).toBe(1);
  });
});

test('the explanation says which parts were taken for each other and how', () => {
  const { pairings } = compareNames('Ted Kowalsky', 'KOWALSKI, Theodore', 'person');
  expect(pairings.map(({ how }) => how).sort()).toEqual([
    'nickname',
    expect.stringMatching(/sound|spelling/),
  ]);
});
