import fc from 'fast-check';
import {
  canonicalDecimal,
  compareDecimals,
  decimalToNumber,
  multiplyDecimals,
  parseAmount,
} from '../../domain/decimal.ts';

const digits = (min: number, max: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));
const plainDecimal = fc
  .tuple(digits(1, 30), digits(0, 30))
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`));
const signedDecimal = fc
  .tuple(fc.boolean(), plainDecimal)
  .map(([minus, text]) => (minus ? `-${text}` : text));

/** The oracle: every value here has at most 60 fraction digits, so 10^60 times the value is a whole number. */
function scaled(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(60, '0'));
}

function fractionLength(text: string): number {
  return text.split('.')[1]?.length ?? 0;
}

describe('parseAmount', () => {
  test.each([
    ['1', '1'],
    ['1.50', '1.5'],
    ['100', '100'],
    ['0.10', '0.1'],
    ['007', '7'],
    ['1.000', '1'],
    ['9'.repeat(30), '9'.repeat(30)],
    [`0.${'0'.repeat(29)}1`, `0.${'0'.repeat(29)}1`],
    [`${'9'.repeat(30)}.${'9'.repeat(30)}`, `${'9'.repeat(30)}.${'9'.repeat(30)}`],
  ])('the string %s means %s', (input, value) => {
    expect(parseAmount(input)).toEqual({ ok: true, value });
  });

  test.each([
    [1, '1'],
    [0.1, '0.1'],
    [0.1 + 0.2, '0.30000000000000004'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [5e-30, `0.${'0'.repeat(29)}5`],
    [1e21, '1000000000000000000000'],
    [1.5e21, '1500000000000000000000'],
    [1.25e29, '125000000000000000000000000000'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
  ])('the number %p means its shortest decimal text %s', (input, value) => {
    expect(parseAmount(input)).toEqual({ ok: true, value });
  });

  test.each([
    '',
    '.5',
    '5.',
    '.',
    '+1',
    '-1',
    '1e3',
    ' 1',
    '1 ',
    '1\n',
    '1,5',
    '1.2.3',
    '1_000',
    '0x10',
    '١٢',
    'NaN',
    'Infinity',
    '0',
    '0.00',
    '1'.repeat(31),
    `0.${'1'.repeat(31)}`,
  ])('the string %p is refused', (input) => {
    expect(parseAmount(input).ok).toBe(false);
  });

  test.each([
    NaN,
    Infinity,
    -Infinity,
    0,
    -0,
    -1,
    -1e-7,
    -1e21,
    1e30,
    1e300,
    5e-31,
    1.5e-30,
    Number.MIN_VALUE,
  ])('the number %p is refused', (input) => {
    expect(parseAmount(input).ok).toBe(false);
  });

  test('a refusal never repeats the input', () => {
    expect(parseAmount('my secret')).toEqual({
      ok: false,
      message: expect.not.stringContaining('secret') as string,
    });
  });

  test('no digit of an accepted amount is lost', () => {
    fc.assert(
      fc.property(plainDecimal, (text) => {
        const parsed = parseAmount(text);
        expect(parsed.ok ? scaled(parsed.value) : 0n).toBe(scaled(text));
      }),
    );
  });

  test('a number and its shortest text are the same amount', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-12, max: 1e29, noNaN: true }), (input) => {
        const parsed = parseAmount(input);
        expect(parsed.ok && decimalToNumber(parsed.value)).toBe(input);
      }),
    );
  });
});

describe('canonicalDecimal', () => {
  test.each([
    ['1.500', '1.5'],
    ['0.000', '0'],
    ['-0.0', '0'],
    ['-01.10', '-1.1'],
    ['10', '10'],
  ])('%s becomes %s', (text, canonical) => {
    expect(canonicalDecimal(text)).toBe(canonical);
  });

  test.each(['', 'NaN', '1e5', '.5', '1.', ' 1', '--1'])('%p throws without repeating it', (text) => {
    expect(() => canonicalDecimal(text)).toThrow(new TypeError('The text is not a decimal number.'));
  });

  test('equal values have equal texts, and the text is its own canonical form', () => {
    fc.assert(
      fc.property(signedDecimal, fc.nat(5), (text, zeros) => {
        const padded = (text.includes('.') ? text : `${text}.`) + '0'.repeat(zeros + 1);
        expect(canonicalDecimal(padded)).toBe(canonicalDecimal(text));
        expect(canonicalDecimal(canonicalDecimal(text))).toBe(canonicalDecimal(text));
      }),
    );
  });
});

describe('compareDecimals', () => {
  test.each([
    ['0.1', '0.10', 0],
    ['2', '10', -1],
    ['1000000000000000000000000000.1', '1000000000000000000000000000', 1],
    ['-1', '0.5', -1],
  ])('%s against %s is %p', (a, b, order) => {
    expect(compareDecimals(a, b)).toBe(order);
  });

  test('it orders as whole numbers do', () => {
    fc.assert(
      fc.property(signedDecimal, signedDecimal, (a, b) => {
        const difference = scaled(a) - scaled(b);
        expect(Math.sign(compareDecimals(a, b))).toBe(difference === 0n ? 0 : difference > 0n ? 1 : -1);
      }),
    );
  });
});

describe('multiplyDecimals', () => {
  test.each([
    ['1.5', '2', 2, '3'],
    ['0.125', '1', 2, '0.12'],
    ['0.135', '1', 2, '0.14'],
    ['2.5', '1', 0, '2'],
    ['3.5', '1', 0, '4'],
    ['-2.5', '1', 0, '-2'],
    ['-3.5', '1', 0, '-4'],
    ['2.51', '1', 0, '3'],
    ['0.123456', '65000.5', 2, '8024.7'],
    ['0', '123.45', 2, '0'],
  ])('%s times %s with %p digits is %s', (a, b, fractionDigits, product) => {
    expect(multiplyDecimals(a, b, fractionDigits)).toBe(product);
  });

  test.each([
    ['0.00000001', '0.5', '0.000000005'],
    ['0.00000123456', '1', '0.0000012'],
    ['0.0125', '1', '0.012'],
    ['0.09951', '1', '0.1'],
  ])('the small product of %s and %s keeps two significant digits', (a, b, product) => {
    expect(multiplyDecimals(a, b, 2)).toBe(product);
  });

  test('it is off by at most half of its last digit, and never 0 for factors above 0', () => {
    fc.assert(
      fc.property(plainDecimal, plainDecimal, fc.integer({ min: 0, max: 8 }), (a, b, fractionDigits) => {
        const exact = scaled(a) * scaled(b);
        const product = multiplyDecimals(a, b, fractionDigits);
        const kept = Math.max(fractionLength(product), fractionDigits);
        const [whole = '', fraction = ''] = product.split('.');
        const rounded = BigInt(whole + fraction.padEnd(120, '0'));
        const error = rounded > exact ? rounded - exact : exact - rounded;
        expect(error * 2n <= 10n ** BigInt(120 - kept)).toBe(true);
        expect(rounded === 0n).toBe(exact === 0n);
      }),
    );
  });
});

test('decimalToNumber gives the nearest number', () => {
  expect(decimalToNumber('0.1')).toBe(0.1);
  expect(decimalToNumber('123456789012345678901234567890')).toBe(1.2345678901234568e29);
});
