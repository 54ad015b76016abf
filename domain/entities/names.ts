import { foldName, queryTerms } from '../fold.ts';
import type { EntityProfile } from './entity.ts';

/** A name by which an entity is found. A legal name is found by search, but leads nowhere by itself. */
export interface EntityName {
  kind: 'NAME' | 'ALIAS' | 'LEGAL';
  folded: string;
  /** Letters and digits only: nothing in them means anything to a search vector. */
  words: string[];
}

type NamedEntity = Pick<EntityProfile, 'name' | 'aliases' | 'legalName'>;

/** Every name once; an alias that is only another spelling of the name is that name. */
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
 * A search for names that hold all words of `q`, as PostgreSQL writes one: words of three letters and more (Han, Kana,
 * Hangul: of one) count as beginnings. Undefined when there is no word in it.
 */
export function nameSearch(q: string): string | undefined {
  const words = queryTerms(q);
  if (words.length === 0) return undefined;
  return words.map((word) => (isBeginning(word) ? `${word}:*` : word)).join(' & ');
}

function isBeginning(word: string): boolean {
  return Array.from(word).length >= MIN_PREFIX_LETTERS || WITHOUT_SPACES.test(word);
}
