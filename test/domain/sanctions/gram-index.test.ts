import { buildGramIndex, gramScratch, namesSharing } from '../../../domain/sanctions/gram-index.ts';
import { spellingDistance } from '../../../domain/sanctions/spelling-distance.ts';

const SYLLABLES = ['mu', 'ha', 'mad', 'ab', 'dul', 'ka', 'rim', 'al', 'ev', 'son', 'chen', 'o7'];

/** Lehmer's numbers: the same names in every run. */
function words(seed: number): string[] {
  let state = seed + 1;
  const next = (most: number): number => (state = (state * 48_271) % 2_147_483_647) % most;
  next(2);
  const word = () => Array.from({ length: 1 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join('');
  return Array.from({ length: 1 + next(3) }, word);
}

function grams(list: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const word of list) {
    const edged = `#${word}#`;
    for (let at = 0; at + 3 <= edged.length; at += 1) found.add(edged.slice(at, at + 3));
  }
  return found;
}

/** Every name is looked at, and all of its triples. */
function plainly(
  names: readonly string[][],
  query: readonly string[],
  floor: number,
  limit: number,
): number[] {
  const ofNames = names.map(grams);
  const counts = new Map<string, number>();
  for (const gram of ofNames.flatMap((set) => [...set])) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  const weight = (gram: string): number => Math.log(1 + (names.length + 1) / ((counts.get(gram) ?? 0) + 1));
  const sum = (set: Iterable<string>): number => [...set].reduce((total, gram) => total + weight(gram), 0);
  const queryGrams = grams(query);
  const queryWeight = sum(queryGrams);
  return ofNames
    .map((set, name) => {
      const shared = sum([...queryGrams].filter((gram) => set.has(gram)));
      const nameWeight = sum(set);
      const asQuery = shared / (0.8 * queryWeight + 0.2 * nameWeight);
      return { name, rank: Math.max(asQuery, (0.9 * shared) / (0.3 * queryWeight + 0.7 * nameWeight)) };
    })
    .filter(({ rank }) => rank >= floor)
    .toSorted((left, right) => right.rank - left.rank || left.name - right.name)
    .slice(0, limit)
    .map(({ name }) => name);
}

test('the names that share most are found as if every triple of every name were counted', () => {
  const names = Array.from({ length: 200 }, (_, at) => words(at));
  const index = buildGramIndex(names);
  const scratch = gramScratch(names.length);
  for (let seed = 1_000; seed < 1_040; seed += 1) {
    const query = words(seed);
    for (const floor of [0.1, 0.32, 0.42, 0.8]) {
      const limit = 200;
      const found = namesSharing(index, query, scratch, { limit, equalLimit: limit, floor });
      // Ranks are rounded to 32 bits here: names as good as equal may change places.
      expect([query, found.toSorted()]).toEqual([query, plainly(names, query, floor, limit).toSorted()]);
    }
    expect(scratch.sums.every((sum) => sum === 0)).toBe(true);
  }
});

test('of the best only so many, of those that are allowed', () => {
  const names = [['muhamad'], ['muhamad', 'ali'], ['karimov'], ['muhamadov']];
  const index = buildGramIndex(names);
  const find = (limit: number, allowed?: (name: number) => boolean): number[] =>
    namesSharing(index, ['muhamad'], gramScratch(names.length), {
      limit,
      equalLimit: 0,
      floor: 0.3,
      allowed,
    });
  expect(find(9)).toEqual([0, 1, 3]);
  expect(find(2)).toEqual([0, 1]);
  expect(find(9, (name) => name !== 0)).toEqual([1, 3]);
});

test('names with the triples of the query and no other are found beyond the limit', () => {
  const names = [['karim'], ['muhamad', 'ali'], ['ali', 'muhamad'], ['ali', 'ali', 'muhamad'], ['muhamad']];
  const index = buildGramIndex(names);
  const find = (limit: number, equalLimit: number) =>
    namesSharing(index, ['muhamad', 'ali'], gramScratch(names.length), { limit, equalLimit, floor: 0.3 });
  expect(find(1, 9)).toEqual([1, 2, 3]);
  expect(find(1, 2)).toEqual([1, 2]);
  expect(find(4, 2)).toEqual([1, 2, 3, 4]);
});

test('a distance within the limit is the same as without one, any other is at least over it', () => {
  for (let seed = 0; seed < 1_000; seed += 1) {
    const [left = '', right = ''] = [words(seed)[0], words(seed + 7)[0]];
    const whole = spellingDistance(left, right);
    for (const limit of [0, 0.7, 1.5, 3]) {
      const limited = spellingDistance(left, right, limit);
      if (whole <= limit) expect([left, right, limited]).toEqual([left, right, whole]);
      else expect(limited).toBeGreaterThan(limit);
    }
  }
});
