import { identifierKey } from './equal-identifier.ts';
import { buildGramIndex, gramScratch, type GramIndex, type GramScratch } from './gram-index.ts';
import type { EntryType, ListEntry, ListedName } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { partKey, type NamePart } from './name-part.ts';
import { skeletonOfSounds, soundsOf } from './sounds.ts';

/** The data of a search, built once per list version and immutable. Names are numbered across all entries. */
export interface SanctionsIndex {
  entries: readonly ListEntry[];
  /** The distinct parts of all names, by number. */
  parts: readonly NamePart[];
  /** The parts of name n are `nameParts[nameStarts[n]]` to `nameParts[nameStarts[n + 1]]`. */
  nameStarts: Uint32Array;
  nameParts: Uint32Array;
  /** The entry of each name, and the index of the name in its entry. */
  nameEntries: Uint32Array;
  nameNumbers: Uint16Array;
  /** Names of persons, and names of all other subjects: they are searched separately. */
  persons: NameGrams;
  others: NameGrams;
  scratch: GramScratch;
  /** Entries by identifier key. */
  identifiers: ReadonlyMap<string, readonly number[]>;
}

/** Indexes of names by letters and by consonant skeletons. */
interface NameGrams {
  spelling: GramIndex;
  skeletons: GramIndex;
}

/** Builds the index of these entries; their order is the order of equal matches. */
export function buildIndex(entries: readonly ListEntry[]): SanctionsIndex {
  const names = readNames(entries);
  const words = names.parts.map(spelledWords);
  const skeletonOf = remember((text: string) => skeletonOfSounds(soundsOf(text)));
  // Names of the other kind keep their numbers but have no words.
  const gramsOf = (isOfSide: (entry: ListEntry) => boolean): NameGrams => {
    const ofSide = words.map((list, name) => {
      const entry = entries[names.entries[name] ?? 0];
      return entry && isOfSide(entry) ? list : [];
    });
    return {
      spelling: buildGramIndex(ofSide),
      skeletons: buildGramIndex(ofSide.map((list) => list.map(skeletonOf))),
    };
  };
  return {
    entries,
    ...interned(names.parts),
    nameEntries: Uint32Array.from(names.entries),
    nameNumbers: Uint16Array.from(names.numbers),
    persons: gramsOf(({ type }) => type === 'person'),
    others: gramsOf(({ type }) => type !== 'person'),
    scratch: gramScratch(names.parts.length),
    identifiers: entriesByIdentifier(entries),
  };
}

interface ReadNames {
  parts: NamePart[][];
  entries: number[];
  numbers: number[];
}

function readNames(entries: readonly ListEntry[]): ReadNames {
  const names: ReadNames = { parts: [], entries: [], numbers: [] };
  entries.forEach((entry, number) => {
    const seen = new Set<string>();
    weakLast(entry.names).forEach(({ name, place }) => {
      const parts = nameParts(name.text, entry.type);
      const key = parts.map(partKey).join('\u0001');
      if (parts.length === 0 || seen.has(key)) return;
      seen.add(key);
      names.parts.push(parts);
      names.entries.push(number);
      names.numbers.push(place);
    });
  });
  return names;
}

/** The names with their places; an equal name is kept once, and as the better one. */
function weakLast(names: readonly ListedName[]): { name: ListedName; place: number }[] {
  const placed = names.map((name, place) => ({ name, place }));
  const isWeak = ({ name }: { name: ListedName }): boolean => name.kind === 'weak';
  return [...placed.filter((one) => !isWeak(one)), ...placed.filter(isWeak)];
}

/** Interns equal parts, so that each is compared only once per search, whatever the number of names that have it. */
function interned(names: readonly NamePart[][]): Pick<SanctionsIndex, 'parts' | 'nameStarts' | 'nameParts'> {
  const parts: NamePart[] = [];
  const numbers = new Map<string, number>();
  const nameStarts = new Uint32Array(names.length + 1);
  const all: number[] = [];
  names.forEach((name, index) => {
    for (const part of name) {
      const key = partKey(part);
      let number = numbers.get(key);
      if (number === undefined) {
        number = parts.length;
        numbers.set(key, number);
        parts.push({ ...part, id: number });
      }
      (parts[number] as NamePart).names++;
      all.push(number);
    }
    nameStarts[index + 1] = all.length;
  });
  return { parts, nameStarts, nameParts: Uint32Array.from(all) };
}

/** The words by which a name is found; legal forms and particles only if it has no other words. */
export function spelledWords(parts: readonly NamePart[]): string[] {
  const words = parts.filter((part) => part.kind !== 'form' && part.kind !== 'particle');
  return (words.length > 0 ? words : parts).map((part) => part.text);
}

/** Whether an entry is of one of the lists; of all, where none is named. */
export function isOfLists(entry: ListEntry, lists: readonly string[] | undefined): boolean {
  return lists === undefined || lists.includes(entry.list);
}

/** The numbers of an entry's names, which follow each other. */
export function namesOfEntry({ nameEntries }: SanctionsIndex, entry: number): number[] {
  const first = nameEntries.indexOf(entry);
  const names: number[] = [];
  for (let name = first; name >= 0 && nameEntries[name] === entry; name++) names.push(name);
  return names;
}

function entriesByIdentifier(entries: readonly ListEntry[]): Map<string, number[]> {
  const map = new Map<string, number[]>();
  entries.forEach(({ identifiers }, number) => {
    for (const key of new Set(identifiers.map(({ value }) => identifierKey(value)))) {
      if (key === '') continue;
      const numbers = map.get(key);
      if (numbers === undefined) map.set(key, [number]);
      else numbers.push(number);
    }
  });
  return map;
}

function remember(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let value = known.get(text);
    if (value === undefined) known.set(text, (value = work(text)));
    return value;
  };
}

/** The entry types of a natural or legal person. */
export function typesFor(type: 'NATURAL' | 'LEGAL'): readonly EntryType[] {
  return type === 'NATURAL' ? ['person'] : ['organisation', 'vessel', 'aircraft'];
}
