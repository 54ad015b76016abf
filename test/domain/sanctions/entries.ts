import type { EntryType, ListEntry, NameKind } from '../../../domain/sanctions/list-entry.ts';

/** A list entry with these names, the first of them primary; everything else empty unless given. */
export function entry(
  sourceId: string,
  type: EntryType,
  names: readonly (string | { text: string; kind: NameKind })[],
  more: Partial<ListEntry> = {},
): ListEntry {
  return {
    list: 'TEST',
    sourceId,
    type,
    names: names.map((name, at) =>
      typeof name === 'string' ? { text: name, kind: at === 0 ? 'primary' : 'aka' } : name,
    ),
    birthDates: [],
    birthPlaces: [],
    countries: [],
    identifiers: [],
    wallets: [],
    programs: [],
    ...more,
  };
}
