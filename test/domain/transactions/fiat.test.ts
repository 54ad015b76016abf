import { fiatData, fiatValue, type FiatPrice } from '../../../domain/transactions/fiat.ts';

const pricedAt = new Date('2026-11-21T09:59:00.000Z');
const price = (usd: string | null, eur: string | null): FiatPrice => ({
  usd,
  eur,
  source: 'prices.example',
  pricedAt,
});

test.each([
  ['1.5', price('4000', '3600'), '6000', '5400'],
  ['0.0001', price('4000', '3600'), '0.4', '0.36'],
  ['1.23456', price('1', '2'), '1.23', '2.47'],
  ['3', price('0.335', '0.3349'), '1', '1'],
  ['0.000000000000000001', price('4000', null), '0.000000000000004', null],
  ['2', price(null, '3600'), null, '7200'],
  ['2', undefined, null, null],
  [null, price('4000', '3600'), null, null],
])('%s at %j is worth %s USD and %s EUR', (amount, given, amountUsd, amountEur) => {
  expect(fiatValue(amount, given)).toEqual({ amountUsd, amountEur });
});

test('the smallest amount is never worth 0', () => {
  const value = fiatValue(`0.${'0'.repeat(29)}1`, price('0.000001', '0.000001'));
  expect(Number(value.amountUsd)).toBeGreaterThan(0);
  expect(Number(value.amountEur)).toBeGreaterThan(0);
});

test('source and time of a price are told, nothing when there is none', () => {
  expect(fiatData(price('1', '1'))).toEqual({
    priceSource: 'prices.example',
    pricedAt: pricedAt.toISOString(),
  });
  expect(fiatData(undefined)).toEqual({});
});
