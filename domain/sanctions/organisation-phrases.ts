import { cleanText, splitWords } from './letters/fold-word.ts';
import legalForms from '../../data/name-words/legal-forms.json' with { type: 'json' };
import organisationWords from '../../data/name-words/organisation-words.json' with { type: 'json' };
import { readWord } from './read-word.ts';

/** A legal form ("GmbH": LLC) or a generic word of many names ("banque": bank), in any language. */
export interface OrganisationPhrase {
  kind: 'form' | 'generic';
  meaning: string;
}

/** Legal forms that are common words in other languages; they are never read as a legal form. */
const PLAIN_WORDS = new Set([
  'in',
  'is',
  'im',
  'ii',
  'as',
  'at',
  'et',
  'charity',
  'non profit',
  'd',
  'public',
  'pa',
  'se',
  'ca',
  'na',
  'ps',
  'pt',
]);
/** Legal forms that the data does not have, by their meaning. */
const MORE_FORMS: Record<string, string> = {
  LLC: 'pvt ltd|pvt limited|private limited|private ltd|wll|fzc|lda|unipessoal lda|eood|anstalt|tic ltd sti|san tic ltd sti|san ve tic ltd sti|ذ.م.م|ش.م.م|ش.ذ.م.م',
  QSC: 'qpsc',
  JSC: 'pjs|ش.م.ع|ش.م.ع.م',
};
/** Legal forms that are also words or names: they count only at the end of a name that has a word of firms. */
const FORMS_AT_END = new Set(['as', 'ca', 'kk', 'sac', 'asa', 'sal', 'bsc', 'psc', 'sae', 'spc']);
/** Short forms of generic words that the data does not have, by their meaning. */
const SHORT_FORMS: Record<string, string> = {
  trade: 'trdg|tdg',
  eng: 'engg|engrg|engr|engrs',
  bank: 'bk',
  service: 'svcs|svc|srvcs',
  industry: 'inds|indl|indus|indust',
  mgmt: 'mgmt|mgt|mngmt',
  construction: 'constr|constrn',
  transport: 'transp',
  investment: 'invt|invts|invst',
  holding: 'hldg|hldgs',
  grp: 'grp',
  co: 'corpn|compy',
  natl: 'natl',
  intl: 'internatl',
  enterprise: 'entp|entrprs',
  general: 'genl',
  exchange: 'exch',
  product: 'prods',
  equipment: 'equip',
  gov: 'govt',
  assoc: 'assn',
};
const phrases = readPhrases();
/** Number of words of the longest phrase, by its first word. */
const longest = readLongest();

/** The phrase of these folded words, joined by spaces; undefined for distinguishing words. */
export function organisationPhrase(words: string): OrganisationPhrase | undefined {
  return phrases.get(words);
}

/** Whether a word behind one of firms is a legal form: of "Huber Shipping AS", but not of "Amr al-As". */
export function isFormAtEnd(word: string): boolean {
  return FORMS_AT_END.has(word);
}

/** Number of words of the longest phrase that begins with this word; 0 if there is none. */
export function longestPhrase(firstWord: string): number {
  return longest.get(firstWord) ?? 0;
}

function readLongest(): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const phrase of phrases.keys()) {
    const [first = '', ...rest] = phrase.split(' ');
    lengths.set(first, Math.max(lengths.get(first) ?? 0, 1 + rest.length));
  }
  return lengths;
}

/** Reads all phrases, legal forms first: a phrase that is both counts as a legal form. */
function readPhrases(): Map<string, OrganisationPhrase> {
  const map = new Map<string, OrganisationPhrase>();
  enter(map, 'form', legalForms);
  enter(map, 'form', MORE_FORMS);
  enter(map, 'generic', organisationWords);
  enter(map, 'generic', SHORT_FORMS);
  return map;
}

function enter(
  map: Map<string, OrganisationPhrase>,
  kind: OrganisationPhrase['kind'],
  spellings: Record<string, string>,
): void {
  for (const [meaning, list] of Object.entries(spellings)) {
    for (const spelling of list.split('|')) {
      const words = foldedWords(spelling);
      const key = words.join(' ');
      if (key.length < 2 || PLAIN_WORDS.has(key) || map.has(key)) continue;
      map.set(key, { kind, meaning });
    }
  }
}

/** The words of a text in comparable form. */
function foldedWords(text: string): string[] {
  return splitWords(cleanText(text))
    .flatMap((word) => readWord(word, 'PART_OF_NAME'))
    .map((word) => word.text);
}
