const MAX_LETTERS = 64;
const INSERTION = 1;
const CONFUSABLE = 0.65;
const VOWEL_FOR_VOWEL = 0.75;
const DOUBLED = 0.4;
const DIGIT = 1.5;
const SWAP = 0.9;

/** Pairs of letters that are often confused, by eye or by ear. */
const CONFUSABLE_PAIRS =
  '0o 1i 1l 5s 6b 8b 9g 9q ei ou ij iy jy ck kq cq gj gk sz vw bv bp dt mn uv ao ae nh gq fv xk uw'.split(
    ' ',
  );
/** The least cost of a letter that only one of two words has. */
export const LEAST_LETTER_COST = CONFUSABLE;
const substitution = substitutionCosts();
const rows = [0, 1, 2].map(() => new Float64Array(MAX_LETTERS + 1));
/** Letters of the right word and what leaving each out costs, from place 1 on. */
const rightLetters = new Uint16Array(MAX_LETTERS + 1);
const rightGaps = new Float64Array(MAX_LETTERS + 1);

/**
 * The weighted edit distance of two words: 1 per letter, less for letters that are easily confused, doubled or swapped,
 * more for digits. Reads at most 64 letters of each. Infinity as soon as the distance must exceed `limit`, which for most
 * words shows after a few letters.
 */
export function spellingDistance(left: string, right: string, limit = Infinity): number {
  const leftLength = Math.min(left.length, MAX_LETTERS);
  const rightLength = Math.min(right.length, MAX_LETTERS);
  let [beforeLast, last, current] = rows as [Float64Array, Float64Array, Float64Array];
  last[0] = 0;
  for (let column = 1; column <= rightLength; column++) {
    rightLetters[column] = right.charCodeAt(column - 1);
    rightGaps[column] = gapCost(right, column - 1);
    last[column] = at(last, column - 1) + at(rightGaps, column);
  }
  let leastBefore = 0;
  for (let row = 1; row <= leftLength; row++) {
    const least = fillRow(left, row, rightLength, beforeLast, last, current);
    // Two rows, because a swap of letters reaches back two rows.
    if (least > limit && leastBefore > limit) return Infinity;
    leastBefore = least;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, rightLength);
}

/** Fills a row and returns its minimum cost. Its parameters are no object, since it runs some thousand times for a name. */
function fillRow(
  left: string,
  row: number,
  rightLength: number,
  beforeLast: Float64Array,
  last: Float64Array,
  current: Float64Array,
): number {
  const letter = left.charCodeAt(row - 1);
  const letterBefore = row > 1 ? left.charCodeAt(row - 2) : -1;
  const leftGap = gapCost(left, row - 1);
  let least = at(last, 0) + leftGap;
  let beside = least;
  current[0] = least;
  for (let column = 1; column <= rightLength; column++) {
    const other = rightLetters[column] as number;
    let best = at(last, column - 1) + substitutionCost(letter, other);
    best = Math.min(best, at(last, column) + leftGap, beside + at(rightGaps, column));
    if (other === letterBefore && column > 1 && letter === rightLetters[column - 1])
      best = Math.min(best, at(beforeLast, column - 2) + SWAP);
    current[column] = best;
    beside = best;
    if (best < least) least = best;
  }
  return least;
}

function gapCost(word: string, index: number): number {
  const code = word.charCodeAt(index);
  if (isDigit(code)) return DIGIT;
  return index > 0 && word.charCodeAt(index - 1) === code ? DOUBLED : INSERTION;
}

function substitutionCost(left: number, right: number): number {
  if (left === right) return 0;
  return substitution[((left & 127) << 7) | (right & 127)] ?? INSERTION;
}

function substitutionCosts(): Float64Array {
  const costs = new Float64Array(128 * 128).fill(INSERTION);
  const set = (left: number, right: number, cost: number): void => {
    costs[(left << 7) | right] = cost;
    costs[(right << 7) | left] = cost;
  };
  for (let digit = 48; digit < 58; digit++)
    for (let other = 48; other < 123; other++) set(digit, other, DIGIT);
  for (const left of 'aeiouy')
    for (const right of 'aeiouy') set(left.charCodeAt(0), right.charCodeAt(0), VOWEL_FOR_VOWEL);
  for (const pair of CONFUSABLE_PAIRS) set(pair.charCodeAt(0), pair.charCodeAt(1), CONFUSABLE);
  return costs;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function at(row: Float64Array, index: number): number {
  return row[index] ?? 0;
}
