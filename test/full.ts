/** True in `npm run test:full`: volumes at their whole size, limits as the product promises them on a free machine. */
export const IS_FULL = process.env['WAYBILL_TESTS'] === 'full';

/** All cases in `npm run test:full`; in `npm test` every third one, beginning with the first, second or third. */
export function aThirdOf<T>(cases: readonly T[], begin: 0 | 1 | 2 = 0): readonly T[] {
  return IS_FULL ? cases : cases.filter((_case, index) => index % 3 === begin);
}
