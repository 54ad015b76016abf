import fc from 'fast-check';
import { foldName, queryTerms, searchTerms, searchWords } from '../../domain/fold.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 60 });

describe('foldName', () => {
  test.each([
    ['  Alpine   Exchange ', 'alpine exchange'],
    ['ALPINE\tEXCHANGE\u00a0AG', 'alpine exchange ag'],
    ['Jürgen Müller', 'jurgen muller'],
    ['Ju\u0308rgen', 'jurgen'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Łódź', 'lodz'],
    ['Søren Ærø', 'soren aero'],
    ['Đặng Thị', 'dang thi'],
    ['İpek Işık', 'ipek isik'],
    ['Þór Œuvre', 'thor oeuvre'],
    ['Ёлкин', 'елкин'],
    ['Ὀδυσσεύς', 'οδυσσευσ'],
    ['ＡＢＣ１２３', 'abc123'],
    ['ﬁnance', 'finance'],
    ['O’Neil', "o'neil"],
    ['Coin–Base', 'coin-base'],
    ['Al\u200bpine\u00ad', 'alpine'],
    ['مُحَمَّد', 'محمد'],
    ['שָׁלוֹם', 'שלום'],
    ['ｶﾞｲﾄﾞ', 'ガイド'],
    ['한국', '한국'],
    ['', ''],
  ])('%p folds to %p', (text, folded) => {
    expect(foldName(text)).toBe(folded);
  });

  test.each([
    ['が', 'か'],
    ['कि', 'का'],
    ['Alpine', 'Alpine 2'],
  ])('%s and %s stay different names', (a, b) => {
    expect(foldName(a)).not.toBe(foldName(b));
  });

  test('a folded name is its own folded form', () => {
    fc.assert(
      fc.property(anyText, (text) => foldName(foldName(text)) === foldName(text)),
      { numRuns: 2000 },
    );
  });

  test('neither case nor composition nor spacing matters', () => {
    const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿĀ-ĿŁ-ňŊ-ž]{1,12}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        const folded = foldName(`${a} ${b}`);
        expect(foldName(`\n${a.normalize('NFD')}   ${b.normalize('NFD')} `)).toBe(folded);
        expect(foldName(`${a} ${b}`.toUpperCase())).toBe(folded);
      }),
    );
  });
});

test.each([
  ["Jean-Luc O'Neil, Dr.", ['jean', 'luc', 'o', 'neil', 'dr']],
  ['東京 太郎', ['東京', '太郎']],
  ['हिन्दी बैंक', ['हिन्दी', 'बैंक']],
  ['tx #42/2026', ['tx', '42', '2026']],
  ['... --- !', []],
])('the words of %p', (text, words) => {
  expect(searchWords(text)).toEqual(words);
});

describe('searchTerms and queryTerms', () => {
  const finds = (query: string, text: string) => {
    const terms = new Set(searchTerms(text));
    return queryTerms(query).every((term) => terms.has(term));
  };

  test.each([
    ['muller', 'Jürgen Müller'],
    ['MÜL', 'Jürgen Müller'],
    ['mull jur', 'Jürgen Müller'],
    ['li', 'Li Wei'],
    ['東', '東京太郎'],
    ['東京太', '東京太郎'],
    ['김', '김철수'],
    ['ガ', 'ｶﾞｲﾄﾞ'],
    ['ж', 'Ж Иванов'],
    ['иван', 'Ж Иванов'],
  ])('%s finds %s', (query, text) => {
    expect(finds(query, text)).toBe(true);
  });

  test.each([
    ['li', 'Linda Park'],
    ['mu', 'Jürgen Müller'],
    ['uller', 'Jürgen Müller'],
    ['太', '東京太郎'],
    ['muller anna', 'Jürgen Müller'],
  ])('%s does not find %s', (query, text) => {
    expect(finds(query, text)).toBe(false);
  });

  test('a term list holds words, then prefixes of three letters and more, once each', () => {
    expect(searchTerms('Anna Annabel Li')).toEqual(['anna', 'annabel', 'li', 'ann', 'annab', 'annabe']);
  });

  test('a long word is found by itself and by its first forty letters', () => {
    const word = 'x'.repeat(60);
    expect(finds(word, word)).toBe(true);
    expect(Math.max(...searchTerms(word).map((term) => term.length))).toBe(40);
  });

  test('cutting a word never splits a letter outside the basic plane', () => {
    expect(searchTerms('𠮷'.repeat(50)).every((term) => !/\p{Surrogate}/u.test(term))).toBe(true);
  });

  test('the longest metadata is found by its last word and the start of it', () => {
    // No two words begin alike, so that each has prefixes of its own.
    const metadata = `${Array.from({ length: 221 }, (_, number) => `${100 + number}words`).join(' ')} last`;
    expect(metadata.length).toBeLessThanOrEqual(2_000);
    expect(finds('last', metadata) && finds('las', metadata) && finds('320wo', metadata)).toBe(true);
  });

  test('a long text has at most 2,000 terms and loses prefixes before words', () => {
    const words = Array.from({ length: 900 }, (_, number) => `${number}words`);
    const terms = searchTerms(words.join(' '));
    expect(terms).toHaveLength(2_000);
    expect(terms).toEqual(expect.arrayContaining(words));
    expect(searchTerms(Array.from({ length: 3_000 }, (_, number) => String(number)).join(' '))).toHaveLength(
      2_000,
    );
  });

  test('every text is found by itself and by the start of any of its words', () => {
    const sentence = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }), { maxLength: 6 });
    fc.assert(
      fc.property(sentence, fc.integer({ min: 3, max: 10 }), (parts, length) => {
        const text = parts.join(' ');
        const start = Array.from(searchWords(text)[0] ?? '');
        expect(finds(text, text)).toBe(true);
        expect(start.length < length || finds(start.slice(0, length).join(''), text)).toBe(true);
      }),
    );
  });
});
