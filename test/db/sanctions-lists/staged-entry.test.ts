import { stagedEntry } from '../../../db/sanctions-lists/staged-entry.ts';
import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import { entry } from '../../domain/sanctions/entries.ts';

const staged = entry('1', 'person', ['A B']);

test('the hash of an entry changes with anything in it, not with the order of its members', () => {
  const reversed = Object.fromEntries(Object.entries(staged).toReversed()) as unknown as ListEntry;
  expect(stagedEntry(reversed)?.rowHash).toEqual(stagedEntry(staged)?.rowHash);
  expect(stagedEntry({ ...staged, remarks: 'x' })?.rowHash).not.toEqual(stagedEntry(staged)?.rowHash);
});

test.each(['\0', '\uD800'])('an entry with a character that PostgreSQL cannot hold is left out', (bad) => {
  expect(stagedEntry({ ...staged, remarks: `a${bad}b` })).toBeUndefined();
});
