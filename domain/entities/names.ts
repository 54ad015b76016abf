import { foldName, queryTerms } from '../fold.ts';
import type { EntityProfile } from './entity.ts';

/** A name of an entity. Search finds all kinds; routing by name ignores legal names. */
export interface EntityName {
  kind: 'NAME' | 'ALIAS' | 'LEGAL';
  folded: string;
  /** Letters and digits only, without characters that have a meaning in a search vector. */
  words: string[];
}

type NamedEntity = Pick<EntityProfile, 'name' | 'aliases' | 'legalName'>;

/** All names of an entity, each once; an alias that only spells the name differently counts as the name. */
export function namesOf({ name, aliases, legalName }: NamedEntity): EntityName[] {
  const found = new Map<string, EntityName>();
  const add = (kind: EntityName['kind'], text: string) => {
    const folded = foldName(text);
    if (!found.has(folded)) found.set(folded, { kind, folded, words: queryTerms(text) });
  };
  add('NAME', name);
  for (const alias of aliases) add('ALIAS', alias);
  if (legalName !== null) add('LEGAL', legalName);
  return [...found.values()];
}

const WITHOUT_SPACES = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
const MIN_PREFIX_LETTERS = 3;

/**
 * A PostgreSQL text search query for names with all words of `q`. Words of at least three letters (Han, Kana, Hangul:
 * one) also match as prefixes. Undefined if `q` has no word.
 */
export function nameSearch(q: string): string | undefined {
  const words = queryTerms(q);
  if (words.length === 0) return undefined;
  return words.map((word) => (isPrefix(word) ? `${word}:*` : word)).join(' & ');
}

function isPrefix(word: string): boolean {
  return Array.from(word).length >= MIN_PREFIX_LETTERS || WITHOUT_SPACES.test(word);
}
