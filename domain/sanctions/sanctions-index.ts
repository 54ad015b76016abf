import { buildGramIndex, gramScratch, type GramIndex, type GramScratch } from './gram-index.ts';
import type { EntryType, ListEntry } from './list-entry.ts';
import { nameParts } from './name-parts.ts';
import { partKey, type NamePart } from './name-part.ts';
import { skeletonOfSounds, soundsOf } from './sounds.ts';
import { walletKey } from './wallet-key.ts';

/** Everything a search reads, built once per list version and never changed. Names are numbered across all entries. */
export interface SanctionsIndex {
  entries: readonly ListEntry[];
  /** Different parts of all names, by number. */
  parts: readonly NamePart[];
  /** The parts of name n are `nameParts[nameStarts[n]]` to `nameParts[nameStarts[n + 1]]`. */
  nameStarts: Uint32Array;
  nameParts: Uint32Array;
  /** The entry of a name, and which of its names it is. */
  nameEntries: Uint32Array;
  nameNumbers: Uint16Array;
  /** Persons are looked for among persons, all others among all others. */
  persons: NameGrams;
  others: NameGrams;
  scratch: GramScratch;
  /** Entries by wallet key, by identifier key. */
  wallets: ReadonlyMap<string, readonly number[]>;
  identifiers: ReadonlyMap<string, readonly number[]>;
}

/** Names by their letters, and by their consonants as they are heard. */
interface NameGrams {
  spelling: GramIndex;
  skeletons: GramIndex;
}

/** Builds the index of these entries; their order is the order of equal matches. */
export function buildIndex(entries: readonly ListEntry[]): SanctionsIndex {
  const names = readNames(entries);
  const words = names.parts.map(spelledWords);
  const skeletonOf = remember((text: string) => skeletonOfSounds(soundsOf(text)));
  // The other side's names keep their numbers and have no words.
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
    wallets: entriesBy(entries, (entry) => entry.wallets.map(({ address }) => walletKey(address))),
    identifiers: entriesBy(entries, (entry) => entry.identifiers.map(({ value }) => identifierKey(value))),
  };
}

/** Letters and digits of an identifier; lists and customers write separators at will. */
export function identifierKey(value: string): string {
  return value.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '');
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
    entry.names.forEach((name, place) => {
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

/** Equal parts become one object with a number: compared once per search however many names have it. */
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
      all.push(number);
    }
    nameStarts[index + 1] = all.length;
  });
  return { parts, nameStarts, nameParts: Uint32Array.from(all) };
}

/** What a name is found by: its words, and its legal forms only when it has nothing else. */
export function spelledWords(parts: readonly NamePart[]): string[] {
  const words = parts.filter((part) => part.kind !== 'form' && part.kind !== 'particle');
  return (words.length > 0 ? words : parts).map((part) => part.text);
}

function entriesBy(
  entries: readonly ListEntry[],
  keysOf: (entry: ListEntry) => string[],
): Map<string, number[]> {
  const map = new Map<string, number[]>();
  entries.forEach((entry, number) => {
    for (const key of new Set(keysOf(entry))) {
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

/** The types of entry that a person or a legal person may be. */
export function typesFor(type: 'NATURAL' | 'LEGAL'): readonly EntryType[] {
  return type === 'NATURAL' ? ['person'] : ['organisation', 'vessel', 'aircraft'];
}
