/** Texts beyond this length resemble no name; comparing them would only cost time. */
const MAX_LENGTH = 64;

/**
 * The one of `names` that was probably meant: it differs from `given` in nothing but case, spaces, hyphens and
 * underscores, or else in few letters (a swap counts once). Undefined if none is that near.
 */
export function nearestName(given: string, names: Iterable<string>): string | undefined {
  const wanted = folded(given);
  let nearest: string | undefined;
  let least = toleranceOf(wanted) + 1;
  for (const name of given.length > MAX_LENGTH ? [] : names) {
    const word = folded(name);
    if (Math.abs(word.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, word);
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** How many letters may differ: in a short word one letter makes another word. */
function toleranceOf({ length }: string): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

/** The number of letters to insert, leave out, replace or swap with their neighbour (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwap =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
