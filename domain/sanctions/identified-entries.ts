import { equalIdentifier, identifierKey } from './equal-identifier.ts';
import type { ListEntry } from './list-entry.ts';
import { isOfLists, typesFor, type SanctionsIndex } from './sanctions-index.ts';
import type { SanctionsQuery } from './sanctions-query.ts';

/** Identifiers of the subject and of an entry that are equal. */
export interface EqualIdentifiers {
  query: string;
  listed: string;
}

/** The entries that have an identifier of the subject, such as a passport or registration number, whatever the name. */
export function identifiedEntries(
  index: SanctionsIndex,
  { type, identifiers = [] }: SanctionsQuery,
  lists: readonly string[] | undefined,
): Map<number, EqualIdentifiers[]> {
  const types = type && typesFor(type);
  const identified = new Map<number, EqualIdentifiers[]>();
  for (const identifier of identifiers) {
    for (const number of index.identifiers.get(identifierKey(identifier.value)) ?? []) {
      const entry = index.entries[number] as ListEntry;
      const listed = equalIdentifier(entry, identifier);
      if (!listed || !isOfLists(entry, lists) || types?.includes(entry.type) === false) continue;
      const equal = { query: identifier.value, listed: listed.value };
      identified.set(number, [...(identified.get(number) ?? []), equal]);
    }
  }
  return identified;
}
