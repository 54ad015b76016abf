import { cleanText, splitWords } from './fold-word.ts';
import legalForms from '../../data/name-words/legal-forms.json' with { type: 'json' };
import organisationWords from '../../data/name-words/organisation-words.json' with { type: 'json' };
import { readWord } from './read-word.ts';

/** A legal form ("GmbH": LLC) or a word found in many names ("banque": bank), in any language. */
export interface OrganisationPhrase {
  kind: 'form' | 'generic';
  meaning: string;
}

/** Legal forms that are plain words elsewhere: never read as a form. */
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
const phrases = readPhrases();
/** By its first word, how many words the longest phrase has. */
const longest = readLongest();

/** The meaning of these folded words, joined by spaces; undefined for words that distinguish a name. */
export function organisationPhrase(words: string): OrganisationPhrase | undefined {
  return phrases.get(words);
}

/** How many words a phrase has at most that begins with this one; 0 for a word that begins none. */
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

/** Legal forms are entered first: a phrase that is both is a legal form. */
function readPhrases(): Map<string, OrganisationPhrase> {
  const map = new Map<string, OrganisationPhrase>();
  enter(map, 'form', legalForms);
  enter(map, 'generic', organisationWords);
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

/** The words of a text as they are compared. */
function foldedWords(text: string): string[] {
  return splitWords(cleanText(text))
    .flatMap((word) => readWord(word, false))
    .map((word) => word.text);
}
