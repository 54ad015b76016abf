import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import type { SearchedName } from './quality-data.ts';

const WORDS = { least: 6, most: 8 };
/** Far enough apart in the list that neighbours, often of one family, do not come together. */
const STEP = 37;

/** Sets of names of six to eight words, as Arabic, Spanish and Portuguese ones have: made from the list, always the same. */
export interface LongNames {
  changed: [says: string, probes: SearchedName[]][];
  /** Each word is that of another listed person, so that nobody has the name. */
  clean: SearchedName[];
}

export function longNames(entries: readonly ListEntry[]): LongNames {
  const listed = entries.flatMap(({ type, sourceId, names }) => {
    const words = wordsOf(names[0]?.text ?? '');
    const isLong = words.length >= WORDS.least && words.length <= WORDS.most;
    return type === 'person' && isLong ? [{ sourceId, words }] : [];
  });
  const probesOf = (change: (words: readonly string[]) => readonly string[]): SearchedName[] =>
    listed.map(({ sourceId, words }) => ({ name: change(words).join(' '), sourceId, isPerson: true }));
  return {
    changed: [
      ['long name as listed', probesOf((words) => words)],
      ['long name, one word missing', probesOf((words) => words.toSpliced(2, 1))],
      ['long name, one wrong letter', probesOf(withWrongLetter)],
      ['long name, parts in reverse order', probesOf((words) => words.toReversed())],
    ],
    clean: listed.map(({ words }, place) => ({
      name: words
        .map((word, at) => listed[(place + at * STEP) % listed.length]?.words[at % WORDS.least] ?? word)
        .join(' '),
      isPerson: true,
    })),
  };
}

/** "FAMILY, Given Names" in the order of speech. */
function wordsOf(text: string): string[] {
  const [family = '', given = ''] = text.split(',');
  return `${given} ${family}`.split(' ').filter((word) => word !== '');
}

/** With another letter in the middle of the longest word. */
function withWrongLetter(words: readonly string[]): string[] {
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one));
  const middle = Math.floor(longest.length / 2);
  const letter = longest[middle]?.toLowerCase() === 'e' ? 'o' : 'e';
  return words.with(words.indexOf(longest), longest.slice(0, middle) + letter + longest.slice(middle + 1));
}
