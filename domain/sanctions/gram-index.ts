/** 26 letters, 10 digits and the edge of a word. */
const SYMBOLS = 37;
const GRAMS = SYMBOLS ** 3;
const EDGE = 36;
/** Maximum number of distinct grams used of a long query. */
const MAX_QUERY_GRAMS = 120;

/** An inverted index of letter triples, with the weight of each triple. */
export interface GramIndex {
  /** `postings[offsets[gram]]` to `postings[offsets[gram + 1]]` are the names with that triple, ascending. */
  offsets: Uint32Array;
  postings: Uint32Array;
  /** Weight by triple: the rarer, the heavier. */
  weights: Float32Array;
  /** Total weight of the triples of each name. */
  nameWeights: Float32Array;
}

/** Indexes names given as lists of words (lower-case ASCII letters and digits). */
export function buildGramIndex(names: readonly (readonly string[])[]): GramIndex {
  const { grams, starts } = gramsOfNames(names);
  const offsets = new Uint32Array(GRAMS + 1);
  for (const gram of grams) offsets[gram + 1] = (offsets[gram + 1] ?? 0) + 1;
  const weights = weightsOf(offsets, names.length);
  for (let gram = 0; gram < GRAMS; gram++)
    offsets[gram + 1] = (offsets[gram + 1] ?? 0) + (offsets[gram] ?? 0);
  const next = offsets.slice();
  const postings = new Uint32Array(grams.length);
  const nameWeights = new Float32Array(names.length);
  for (let name = 0; name < names.length; name++) {
    const end = starts[name + 1] ?? 0;
    for (let at = starts[name] ?? 0; at < end; at++) {
      const gram = grams[at] ?? 0;
      const position = next[gram] ?? 0;
      postings[position] = name;
      next[gram] = position + 1;
      nameWeights[name] = (nameWeights[name] ?? 0) + (weights[gram] ?? 0);
    }
  }
  return { offsets, postings, weights, nameWeights };
}

/** The triples of name n are `grams[starts[n]]` to `grams[starts[n + 1]]`: one array, since one for each name costs more to collect. */
function gramsOfNames(names: readonly (readonly string[])[]): { grams: Uint32Array; starts: Uint32Array } {
  const starts = new Uint32Array(names.length + 1);
  const grams = new Uint32Array(names.reduce((sum, words) => sum + lettersOf(words), 0));
  let count = 0;
  names.forEach((words, name) => {
    for (const gram of gramsOf(words)) grams[count++] = gram;
    starts[name + 1] = count;
  });
  return { grams: grams.subarray(0, count), starts };
}

/** A word has as many triples as letters, some of them perhaps twice. */
function lettersOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}

/** The weights of all triples. Counts are shifted by one: `counts[gram + 1]` is the number of names with the triple. */
function weightsOf(counts: Uint32Array, names: number): Float32Array {
  const weights = new Float32Array(GRAMS);
  for (let gram = 0; gram < GRAMS; gram++) {
    weights[gram] = Math.log(1 + (names + 1) / ((counts[gram + 1] ?? 0) + 1));
  }
  return weights;
}

/** The distinct triples of the words, with an edge symbol on both sides of each word. */
function gramsOf(words: readonly string[]): number[] {
  const grams: number[] = [];
  for (const word of words) {
    let first = EDGE;
    let second = symbol(word, 0);
    for (let index = 1; index <= word.length; index++) {
      const third = index === word.length ? EDGE : symbol(word, index);
      const gram = (first * SYMBOLS + second) * SYMBOLS + third;
      // A name has a few dozen triples: a linear search is faster than a set.
      if (!grams.includes(gram)) grams.push(gram);
      [first, second] = [second, third];
    }
  }
  return grams;
}

function symbol(word: string, index: number): number {
  const code = word.charCodeAt(index);
  if (code >= 97 && code <= 122) return code - 97;
  return code >= 48 && code <= 57 ? 26 + code - 48 : EDGE;
}

/** Scratch buffers of a search; only one search may use them at a time. `sums` is all zero between searches. */
export interface GramScratch {
  sums: Float32Array;
  touched: Uint32Array;
}

/** Scratch buffers for an index with this number of names. */
export function gramScratch(names: number): GramScratch {
  return { sums: new Float32Array(names), touched: new Uint32Array(names) };
}

/**
 * Limits of a search: at most `limit` names with a rank of at least `floor`, only those that `allowed` accepts; `equalLimit` of names
 * that have all triples of the query and no other.
 */
interface CandidateQuery {
  limit: number;
  equalLimit: number;
  floor: number;
  allowed?: ((name: number) => boolean) | undefined;
}

/** Weights of query and name in the two ranks, and the factor of the second rank. */
const QUERY_RANK = { query: 0.8, name: 0.2 };
const NAME_RANK = { query: 0.3, name: 0.7, worth: 0.9 };
/** Tolerance for sums, which are rounded to 32 bits. */
const ROUNDING = 0.999;

/**
 * The names that share most with the words, best first, at most `limit`. The rank is the shared weight as a share of the
 * query's or of the name's weight, whichever is higher: a query may have too many or too few parts.
 */
export function namesSharing(
  index: GramIndex,
  words: readonly string[],
  scratch: GramScratch,
  query: CandidateQuery,
): number[] {
  const { limit, equalLimit, floor, allowed } = query;
  const { weights } = index;
  const grams = gramsOf(words).slice(0, MAX_QUERY_GRAMS);
  // The rarest first, equal ones in a fixed order, so that sums are always the same.
  grams.sort((left, right) => (weights[right] ?? 0) - (weights[left] ?? 0) || left - right);
  const queryWeight = grams.reduce((sum, gram) => sum + (weights[gram] ?? 0), 0);
  const least = minSharedWeight(floor) * queryWeight;
  const count = sumUp(index, grams, scratch, { queryWeight, least });
  const best = new BestNames(limit, equalLimit);
  for (let position = 0; position < count; position++) {
    const name = scratch.touched[position] ?? 0;
    const shared = scratch.sums[name] ?? 0;
    scratch.sums[name] = 0;
    if (shared < least) continue;
    const nameWeight = index.nameWeights[name] ?? 1;
    const asQuery = shared / (QUERY_RANK.query * queryWeight + QUERY_RANK.name * nameWeight);
    const asName = (NAME_RANK.worth * shared) / (NAME_RANK.query * queryWeight + NAME_RANK.name * nameWeight);
    const rank = Math.max(asQuery, asName);
    if (rank >= floor && (allowed === undefined || allowed(name))) best.add(name, rank);
  }
  return best.names;
}

/** The minimum share of the query's weight that a name with rank `floor` has in common with it. */
function minSharedWeight(floor: number): number {
  const asQuery = (floor * QUERY_RANK.query) / (1 - floor * QUERY_RANK.name);
  const asName = (floor * NAME_RANK.query) / (NAME_RANK.worth - floor * NAME_RANK.name);
  return Math.min(asQuery, asName) * ROUNDING;
}

/**
 * Adds up the weights of shared triples per name and returns the number of names in `touched`. Once the remaining triples
 * weigh less than `least`, they are only added to names that are already there: the most common triples, which nearly
 * every name has, add no names.
 */
function sumUp(
  { weights, offsets, postings }: GramIndex,
  grams: readonly number[],
  { sums, touched }: GramScratch,
  { queryWeight, least }: { queryWeight: number; least: number },
): number {
  let count = 0;
  let left = queryWeight;
  for (const gram of grams) {
    const weight = weights[gram] ?? 0;
    const end = offsets[gram + 1] ?? 0;
    const addsNames = left >= least;
    for (let position = offsets[gram] ?? 0; position < end; position++) {
      const name = postings[position] as number;
      const sum = sums[name] as number;
      if (sum !== 0) sums[name] = sum + weight;
      else if (addsNames) {
        touched[count++] = name;
        sums[name] = weight;
      }
    }
    left -= weight;
  }
  return count;
}

/** The rank of a name with the triples of the query. */
const EQUAL = 0.9999;

/** The best names so far, best first; names of equal rank by number, whatever the order in which they are added. */
class BestNames {
  readonly names: number[] = [];
  readonly #ranks: number[] = [];
  readonly #limit: number;
  readonly #equalLimit: number;

  constructor(limit: number, equalLimit: number) {
    this.#limit = limit;
    this.#equalLimit = Math.max(limit, equalLimit);
  }

  add(name: number, rank: number): void {
    let place = this.names.length;
    while (place > 0 && this.#isBehind(place - 1, name, rank)) place--;
    if (place >= this.#limitOf(rank)) return;
    this.names.splice(place, 0, name);
    this.#ranks.splice(place, 0, rank);
    while (this.names.length > this.#limitOf(this.#ranks.at(-1) ?? 0)) {
      this.names.pop();
      this.#ranks.pop();
    }
  }

  #limitOf(rank: number): number {
    return rank >= EQUAL ? this.#equalLimit : this.#limit;
  }

  #isBehind(place: number, name: number, rank: number): boolean {
    const other = this.#ranks[place] ?? 0;
    return other < rank || (other === rank && (this.names[place] ?? 0) > name);
  }
}
