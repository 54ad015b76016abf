/** 26 letters, 10 digits and the edge of a word. */
const SYMBOLS = 37;
const GRAMS = SYMBOLS ** 3;
const EDGE = 36;
/** A query longer than any name is looked up by its first different grams. */
const MAX_QUERY_GRAMS = 120;

/** Postings of letter triples: which names contain which triple, and how much sharing it says. */
export interface GramIndex {
  /** `postings[offsets[gram]]` to `postings[offsets[gram + 1]]` are the names with that triple, ascending. */
  offsets: Uint32Array;
  postings: Uint32Array;
  /** The rarer the triple the heavier. */
  weights: Float32Array;
  /** The weight of all triples of a name. */
  nameWeights: Float32Array;
}

/** Indexes names given as lists of words (lower-case ASCII letters and digits). */
export function buildGramIndex(names: readonly (readonly string[])[]): GramIndex {
  const grams = names.map(gramsOf);
  const offsets = new Uint32Array(GRAMS + 1);
  for (const list of grams) for (const gram of list) offsets[gram + 1] = (offsets[gram + 1] ?? 0) + 1;
  const weights = weightsOf(offsets, names.length);
  for (let gram = 0; gram < GRAMS; gram++)
    offsets[gram + 1] = (offsets[gram + 1] ?? 0) + (offsets[gram] ?? 0);
  const next = offsets.slice();
  const postings = new Uint32Array(offsets[GRAMS] ?? 0);
  const nameWeights = new Float32Array(names.length);
  grams.forEach((list, name) => {
    for (const gram of list) {
      const place = next[gram] ?? 0;
      postings[place] = name;
      next[gram] = place + 1;
      nameWeights[name] = (nameWeights[name] ?? 0) + (weights[gram] ?? 0);
    }
  });
  return { offsets, postings, weights, nameWeights };
}

/** Counts are shifted by one place: `counts[gram + 1]` is how many names have the triple. */
function weightsOf(counts: Uint32Array, names: number): Float32Array {
  const weights = new Float32Array(GRAMS);
  for (let gram = 0; gram < GRAMS; gram++) {
    weights[gram] = Math.log(1 + (names + 1) / ((counts[gram + 1] ?? 0) + 1));
  }
  return weights;
}

/** The different triples of the words, each word with an edge on both sides. */
function gramsOf(words: readonly string[]): number[] {
  const grams = new Set<number>();
  for (const word of words) {
    let first = EDGE;
    let second = symbol(word, 0);
    for (let index = 1; index <= word.length; index++) {
      const third = index === word.length ? EDGE : symbol(word, index);
      grams.add((first * SYMBOLS + second) * SYMBOLS + third);
      [first, second] = [second, third];
    }
  }
  return [...grams];
}

function symbol(word: string, index: number): number {
  const code = word.charCodeAt(index);
  if (code >= 97 && code <= 122) return code - 97;
  return code >= 48 && code <= 57 ? 26 + code - 48 : EDGE;
}

/** Working memory of one search at a time: `sums` is all zero between searches. */
export interface GramScratch {
  sums: Float32Array;
  touched: Uint32Array;
}

export function gramScratch(names: number): GramScratch {
  return { sums: new Float32Array(names), touched: new Uint32Array(names) };
}

/** What is looked for: at most `limit` names of rank `floor` and more, only those that are `allowed`. */
interface Wanted {
  limit: number;
  floor: number;
  allowed: (name: number) => boolean;
}

/**
 * The names that share most with the words, best first, at most `limit`. Rank is the shared weight as a part of the
 * query's weight or of the name's, whichever says more: a query may have parts too many or too few.
 */
export function namesSharing(
  index: GramIndex,
  words: readonly string[],
  scratch: GramScratch,
  wanted: Wanted,
): number[] {
  const { count, queryWeight } = sumUp(index, gramsOf(words).slice(0, MAX_QUERY_GRAMS), scratch);
  const best = new BestNames(wanted.limit);
  for (let place = 0; place < count; place++) {
    const name = scratch.touched[place] ?? 0;
    const shared = scratch.sums[name] ?? 0;
    scratch.sums[name] = 0;
    const nameWeight = index.nameWeights[name] ?? 1;
    const asQuery = shared / (0.8 * queryWeight + 0.2 * nameWeight);
    const asName = (0.9 * shared) / (0.3 * queryWeight + 0.7 * nameWeight);
    const rank = Math.max(asQuery, asName);
    if (rank >= wanted.floor && wanted.allowed(name)) best.add(name, rank);
  }
  return best.names;
}

/** Adds up the weights of shared triples per name; the names with any are the first `count` of `touched`. */
function sumUp(
  index: GramIndex,
  grams: readonly number[],
  { sums, touched }: GramScratch,
): { count: number; queryWeight: number } {
  let count = 0;
  let queryWeight = 0;
  for (const gram of grams) {
    const weight = index.weights[gram] ?? 0;
    queryWeight += weight;
    const end = index.offsets[gram + 1] ?? 0;
    for (let place = index.offsets[gram] ?? 0; place < end; place++) {
      const name = index.postings[place] ?? 0;
      if (sums[name] === 0) touched[count++] = name;
      sums[name] = (sums[name] ?? 0) + weight;
    }
  }
  return { count, queryWeight };
}

/** The best names so far, best first; of equal ranks the lower number, whatever the order in which they come. */
class BestNames {
  readonly names: number[] = [];
  readonly #ranks: number[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(name: number, rank: number): void {
    let place = this.names.length;
    while (place > 0 && this.#isBehind(place - 1, name, rank)) place--;
    if (place >= this.#limit) return;
    this.names.splice(place, 0, name);
    this.#ranks.splice(place, 0, rank);
    if (this.names.length > this.#limit) {
      this.names.pop();
      this.#ranks.pop();
    }
  }

  #isBehind(place: number, name: number, rank: number): boolean {
    const other = this.#ranks[place] ?? 0;
    return other < rank || (other === rank && (this.names[place] ?? 0) > name);
  }
}
