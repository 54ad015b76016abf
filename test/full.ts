/** True in `npm run test:full`: volumes at their whole size, limits as the product promises them on a free machine. */
export const IS_FULL = process.env['WAYBILL_TESTS'] === 'full';
