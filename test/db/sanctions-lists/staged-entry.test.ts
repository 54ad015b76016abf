import { stagedEntry } from '../../../db/sanctions-lists/staged-entry.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';

const entry: ListEntry = {
  list: 'X',
  sourceId: '1',
  type: 'person',
  names: [{ text: 'A B', kind: 'primary' }],
  birthDates: [],
  birthPlaces: [],
  countries: [],
  identifiers: [],
  wallets: [],
  programs: [],
};

test('the hash of an entry changes with anything in it, not with the order of its members', () => {
  const reversed = Object.fromEntries(Object.entries(entry).toReversed()) as unknown as ListEntry;
  expect(stagedEntry(reversed)?.rowHash).toEqual(stagedEntry(entry)?.rowHash);
  expect(stagedEntry({ ...entry, remarks: 'x' })?.rowHash).not.toEqual(stagedEntry(entry)?.rowHash);
});

test.each(['\0', '\uD800'])('an entry with a character that PostgreSQL cannot hold is left out', (bad) => {
  expect(stagedEntry({ ...entry, remarks: `a${bad}b` })).toBeUndefined();
});
