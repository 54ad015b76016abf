import { idAt, newId, orderedIds } from '../../db/new-id.ts';

const NOW = new Date('2026-11-21T14:00:00.123Z');

test('an id is a UUID of version 7 that tells its millisecond', () => {
  const id = newId(NOW);
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(NOW.getTime());
});

test.each([0, 1, 0xffff, 0x1_0000, 2 ** 47])('ids sort by time around %d ms', (ms) => {
  expect(newId(new Date(ms)) < newId(new Date(ms + 1))).toBe(true);
});

test('all ids of one millisecond differ, in every bit that is free', () => {
  const ids = Array.from({ length: 2_000 }, () => newId(NOW));
  expect(new Set(ids).size).toBe(ids.length);
  const seen = Array.from({ length: 36 }, (_, place) => new Set(ids.map((id) => id.charAt(place))).size);
  const fixed = seen.flatMap((letters, place) => (letters === 1 ? [place] : []));
  // The time, the version and the hyphens; the variant has four values, all other places sixteen.
  expect(fixed).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 18, 23]);
  expect(seen[19]).toBe(4);
  expect(seen.filter((letters) => letters === 16)).toHaveLength(36 - fixed.length - 1);
});

test('ids that are asked for within a millisecond keep their order, and are found by their time', () => {
  const now = new Date('2026-11-21T10:00:00.123Z');
  const next = orderedIds();
  const ids = Array.from({ length: 2_000 }, () => next(now));
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const later = next(new Date(now.getTime() + 1));
  expect([idAt(now, 'FIRST'), ...ids, idAt(now, 'LAST'), later].toSorted()).toEqual([
    idAt(now, 'FIRST'),
    ...ids,
    idAt(now, 'LAST'),
    later,
  ]);
});
