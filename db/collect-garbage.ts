import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Opened records leave some 7 KB each that only a full collection frees, and V8 puts that off until its heap has doubled: the
 * growth of a process that reads a million of them was 200 to 300 MB. A collection takes some 60 ms.
 */
const ROWS_A_COLLECTION = 10_000;

/** Counts rows that were read, and has the garbage collected after each 10,000 of them. */
export function garbageAfterRows(collect: () => void = collectGarbage): (rows: number) => void {
  let left = ROWS_A_COLLECTION;
  return (rows) => {
    left -= rows;
    if (left > 0) return;
    left = ROWS_A_COLLECTION;
    collect();
  };
}

/** Runs a full collection at once. Node has no call for it but what V8 gives to contexts that are made with this flag. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  gc();
}
