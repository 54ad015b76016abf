import { retryAfterMs } from '../../outside/retry-after.ts';

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');
const DAY_MS = 86_400_000;

test.each<[header: string | string[] | undefined, waitMs: number | null]>([
  [undefined, null],
  ['120', 120_000],
  ['0', 0],
  ['007', 7_000],
  ['9'.repeat(400), DAY_MS],
  ['Sat, 21 Nov 2026 10:01:00 GMT', 60_000],
  ['Saturday, 21-Nov-26 10:01:00 GMT', 60_000],
  ['Sat Nov 21 10:01:00 2026 GMT', 60_000],
  ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
  ['Mon, 21 Nov 2044 10:00:00 GMT', DAY_MS],
  ['2026-11-21T10:01:00Z', null],
  ['Sat, 21 Nov 2026 10:01:00 CET', null],
  ['-5', null],
  ['+5', null],
  ['1.5', null],
  ['1e3', null],
  ['120 s', null],
  ['soon', null],
  ['Some day GMT', null],
  ['', null],
  [['5', '60'], 5_000],
])('%j is a wait of %p ms', (header, waitMs) => {
  expect(retryAfterMs(header, NOW_MS, DAY_MS)).toBe(waitMs);
});
