import fc from 'fast-check';
import { amountRange, fromUnits, toUnits } from '../../../../domain/verifications/satoshi/amount.ts';

test('amounts and base units are the same value, exactly, both ways', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 48n), fc.integer({ min: 0, max: 36 }), (units, decimals) => {
      const amount = fromUnits(units, decimals);
      expect(amount).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      expect(toUnits(amount, decimals)).toBe(units);
    }),
  );
});

test.each([
  ['1', 0, 1n],
  ['0.5', 1, 5n],
  ['1.5', 18, 1_500_000_000_000_000_000n],
  ['0.00000294', 8, 294n],
])('%s with %d decimals is %s base units', (amount, decimals, units) => {
  expect(toUnits(amount, decimals)).toBe(units);
});

test('an amount with more decimals than its asset has no base units', () => {
  expect(() => toUnits('1.234', 2)).toThrow(RangeError);
});

const ends = (kind: 'EVM' | 'BITCOIN', ticker: string, decimals: number, key = 'native') => {
  const { first, count, step } = amountRange({ kind }, { ticker, key, decimals });
  return [first, first + count - 1].map((index) => fromUnits(BigInt(index) * step, decimals));
};

test.each([
  ['BITCOIN', 'BTC', 8, 'native', '0.000006', '0.00001999'],
  ['EVM', 'ETH', 18, 'native', '0.0001', '0.00019999'],
  ['EVM', 'POL', 18, 'native', '1', '1.9999'],
  ['EVM', 'USDC', 6, '0xt', '1', '1.9999'],
  ['EVM', 'wbtc', 8, '0xt', '0.0001', '0.00019999'],
  ['EVM', 'SHIB', 18, '0xt', '100000', '199990'],
  ['EVM', 'TWO', 2, '0xt', '100', '199.99'],
] as const)(
  'on %s %s with %d decimals is asked for between %s',
  (kind, ticker, decimals, key, least, most) => {
    expect(ends(kind, ticker, decimals, key)).toEqual([least, most]);
  },
);

test.each(['EVM', 'BITCOIN'] as const)('on %s no two amounts of a range are the same, nor zero', (kind) => {
  for (const decimals of [8, 18]) {
    const { first, step } = amountRange({ kind }, { ticker: 'X', key: 'native', decimals });
    expect(first).toBeGreaterThan(0);
    expect(step).toBeGreaterThan(0n);
  }
});
