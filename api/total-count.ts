/** The header of every list, for its documentation. */
export const TOTAL_COUNT = { 'X-Total-Count': 'All matching items, ignoring `_start` and `_end`.' };

/** Left out where the caller did not want it. */
export function countHeader(total: number | undefined): Record<string, string> {
  return total === undefined ? {} : { 'X-Total-Count': String(total) };
}
