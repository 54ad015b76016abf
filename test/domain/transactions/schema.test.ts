import {
  CreateTransactionBody,
  PatchTransactionBody,
  Transaction,
} from '../../../domain/transactions/schema.ts';
import { viewTransaction } from '../../../domain/transactions/viewing/view-transaction.ts';
import { createBody, transactionRecord } from '../../factories/transaction-record.ts';

type Body = Record<string, unknown>;

/** The body with one value set at a path; `[0]`-like steps are plain names, as everything here is an object or array. */
function withValue(path: string, value: unknown, body: Body = createBody()): Body {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { ...body, [first]: value };
  return { ...body, [first]: withValue(rest.join('.'), value, (body[first] ?? {}) as Body) };
}

function valueAt(path: string, body: unknown): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Body | undefined)?.[name], body);
}

function faultsOf(schema: typeof CreateTransactionBody | typeof PatchTransactionBody, body: unknown) {
  return schema.safeParse(body).error?.issues.map((issue) => [...issue.path].join('.')) ?? [];
}

const mailOf = (length: number) => `${'a'.repeat(60)}@${domainOf(length - 61)}`;

/** Labels of at most 63 letters, as mail domains have them. */
function domainOf(length: number): string {
  const end = '.example';
  const letters = length - end.length;
  return Array.from({ length: letters }, (_, index) => (index % 60 === 59 ? '.' : 'd')).join('') + end;
}

const partyLimits: [string, number][] = [
  ['name', 200],
  ['firstName', 100],
  ['lastName', 100],
  ['accountNumber', 100],
  ['address', 500],
  ['addressDetails.street', 70],
  ['addressDetails.buildingNumber', 16],
  ['addressDetails.postCode', 16],
  ['addressDetails.town', 35],
  ['addressDetails.countrySubDivision', 35],
  ['nationalIdentificator', 35],
  ['registrationAuthority', 20],
  ['customerIdentification', 50],
  ['placeOfBirth', 70],
];
const limits: [string, number][] = [
  ['asset', 32],
  ['reference', 128],
  ['metadata', 2_000],
  ['internalNote', 2_000],
  ['blockchainInfo.blockchain', 64],
  ['blockchainInfo.transactionHash', 256],
  ['blockchainInfo.origin', 256],
  ['blockchainInfo.originTag', 128],
  ['blockchainInfo.destination', 256],
  ['blockchainInfo.destinationTag', 128],
  ['vaspInfo.beneficiaryVaspName', 200],
  ['vaspInfo.beneficiaryVaspExtraInfo', 2_000],
  ['vaspInfo.originatorVaspName', 200],
  ...['originator', 'beneficiary'].flatMap((party) =>
    partyLimits.map(([field, limit]): [string, number] => [`${party}.${field}`, limit]),
  ),
];

describe('a create body', () => {
  test('needs asset, amount, destination and its type, nothing else', () => {
    expect(CreateTransactionBody.parse(createBody())).toEqual({
      direction: 'OUTGOING',
      asset: 'ETH',
      amount: '1.5',
      blockchainInfo: {
        destination: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        destinationType: 'CUSTODIAL',
        originType: 'CUSTODIAL',
      },
    });
    expect(faultsOf(CreateTransactionBody, { blockchainInfo: {} })).toEqual([
      'asset',
      'amount',
      'blockchainInfo.destination',
      'blockchainInfo.destinationType',
    ]);
  });

  test.each(limits)('takes %s up to %i characters and keeps it as sent', (path, limit) => {
    const longest = 'x'.repeat(limit);
    expect(valueAt(path, CreateTransactionBody.parse(withValue(path, longest)))).toBe(longest);
    expect(faultsOf(CreateTransactionBody, withValue(path, `${longest}x`))).toEqual([path]);
    expect(faultsOf(CreateTransactionBody, withValue(path, ''))).toEqual([path]);
    expect(faultsOf(CreateTransactionBody, withValue(path, 7))).toEqual([path]);
    expect(faultsOf(CreateTransactionBody, withValue(path, null))).toEqual([path]);
  });

  test.each(['vaspInfo.beneficiaryVaspEmail', 'vaspInfo.originatorVaspEmail'])(
    'takes mail addresses of up to 254 characters as %s',
    (path) => {
      expect(mailOf(254)).toHaveLength(254);
      expect(faultsOf(CreateTransactionBody, withValue(path, mailOf(254)))).toEqual([]);
      for (const wrong of [mailOf(255), 'nobody', 'a@b', 'a b@c.example', '']) {
        expect(faultsOf(CreateTransactionBody, withValue(path, wrong))).toContain(path);
      }
    },
  );

  test('has at most five additional originators', () => {
    const five = Array.from({ length: 5 }, () => ({ name: 'One' }));
    expect(faultsOf(CreateTransactionBody, createBody({ additionalOriginators: five }))).toEqual([]);
    const six = [...five, { name: 'Six' }];
    expect(faultsOf(CreateTransactionBody, createBody({ additionalOriginators: six }))).toEqual([
      'additionalOriginators',
    ]);
  });

  test.each([
    'colour',
    'status',
    'id',
    'amountUsd',
    'transactionHash',
    'travelRuleMessageSource',
    'blockchainInfo.isDestinationConfirmed',
    'blockchainInfo.destinationWalletId',
    'vaspInfo.beneficiaryVaspEntityId',
    'vaspInfo.originatorVaspEntityId',
    'originator.colour',
    'beneficiary.colour',
    'originator.addressDetails.colour',
  ])('has no field %s', (path) => {
    const issues = CreateTransactionBody.safeParse(withValue(path, 'x')).error?.issues ?? [];
    expect(issues.map(({ code }) => code)).toEqual(['unrecognized_keys']);
  });

  test.each([
    ['direction', 'SIDEWAYS'],
    ['direction', 'outgoing'],
    ['blockchainInfo.destinationType', 'custodial'],
    ['blockchainInfo.destinationType', 'UNHOSTED'],
    ['blockchainInfo.originType', 'EXCHANGE'],
    ['originator.type', 'NATURAL_PERSON'],
    ['originator.nationalIdentificatorType', 'PASSPORTS'],
    ['asset', 'E T H'],
    ['asset', '<script>'],
    ['asset', '.ETH'],
    ['asset', 'ÆTH'],
    ['originator.country', 'XX'],
    ['originator.country', 'Neverland'],
    ['originator.country', ''],
    ['originator.identifierCountry', 'ZZ'],
    ['originator.lei', '506700GE1G29325QX364'],
    ['originator.dateOfBirth', '1990-02-29'],
    ['originator.dateOfBirth', '29.02.1992'],
    ['originator.dateOfBirth', '1990-01-01T00:00:00Z'],
    ['originator', null],
    ['additionalOriginators', { name: 'not a list' }],
  ])('refuses %s %j', (path, value) => {
    expect(faultsOf(CreateTransactionBody, withValue(path, value))).toEqual([path]);
  });

  test.each(['ETH', 'USDC.e', '1INCH', 'a', '$WIF', 'wBTC-2', 'A+B', 'x'.repeat(32)])(
    'takes the ticker %s',
    (asset) => {
      expect(CreateTransactionBody.parse(createBody({ asset })).asset).toBe(asset);
    },
  );
});

describe('an amount', () => {
  test.each<[string | number, string]>([
    [1, '1'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
    ['1.50', '1.5'],
    ['007', '7'],
    [`${'9'.repeat(30)}.${'9'.repeat(30)}`, `${'9'.repeat(30)}.${'9'.repeat(30)}`],
    [`0.${'0'.repeat(29)}1`, `0.${'0'.repeat(29)}1`],
  ])('%j is exactly %s', (amount, expected) => {
    expect(CreateTransactionBody.parse(createBody({ amount })).amount).toBe(expected);
  });

  test.each<[unknown]>([
    [0],
    [-0],
    ['0'],
    ['0.000'],
    [-1],
    ['-1'],
    [NaN],
    [Infinity],
    [JSON.parse('1e400')],
    [1e30],
    [1e-31],
    ['1'.repeat(31)],
    [`0.${'1'.repeat(31)}`],
    ['1e3'],
    ['1,5'],
    ['+1'],
    [' 1'],
    ['1.'],
    ['.5'],
    ['0x10'],
    ['１'],
    [''],
    [null],
    [true],
    [['1']],
  ])('%p is refused', (amount) => {
    expect(faultsOf(CreateTransactionBody, { ...createBody(), amount })).toEqual(['amount']);
  });

  test('is never repeated in the refusal', () => {
    const refusal = CreateTransactionBody.safeParse(createBody({ amount: '-31337.4711' })).error;
    expect(JSON.stringify(refusal?.issues)).not.toContain('31337');
  });
});

describe('a party', () => {
  test.each([
    ['PAS', 'CCPT'],
    ['PASSPORT', 'CCPT'],
    ...['ARNU', 'CCPT', 'RAID', 'DRLC', 'FIIN', 'TXID', 'SOCS', 'IDCD', 'LEIX', 'MISC'].map((code) => [
      code,
      code,
    ]),
  ])('with identifier type %s is stored with %s', (given, stored) => {
    for (const party of ['originator', 'beneficiary']) {
      const body = CreateTransactionBody.parse(withValue(`${party}.nationalIdentificatorType`, given));
      expect(valueAt(`${party}.nationalIdentificatorType`, body)).toBe(stored);
      const patch = PatchTransactionBody.parse({ [party]: { nationalIdentificatorType: given } });
      expect(valueAt(`${party}.nationalIdentificatorType`, patch)).toBe(stored);
    }
  });

  test.each([
    ['CH', 'CH'],
    ['ch', 'CH'],
    ['Switzerland', 'CH'],
    ['United Kingdom', 'GB'],
    ['south korea', 'KR'],
  ])('from %s has the country %s, in a change too', (given, code) => {
    for (const field of ['originator.country', 'beneficiary.identifierCountry']) {
      expect(valueAt(field, CreateTransactionBody.parse(withValue(field, given)))).toBe(code);
      expect(valueAt(field, PatchTransactionBody.parse(withValue(field, given, {})))).toBe(code);
    }
  });
});

describe('a patch body', () => {
  test('may be empty', () => {
    expect(PatchTransactionBody.parse({})).toEqual({});
  });

  test.each([
    ...partyLimits.flatMap(([field, limit]): [string, number][] => [
      [`originator.${field}`, limit],
      [`beneficiary.${field}`, limit],
    ]),
    ['statusReasoning', 2_000],
    ['transactionHash', 256],
    ['metadata', 2_000],
    ['internalNote', 2_000],
    ['blockchainInfo.transactionHash', 256],
    ['blockchainInfo.blockchain', 64],
    ['blockchainInfo.origin', 256],
    ['vaspInfo.beneficiaryVaspName', 200],
    ['vaspInfo.beneficiaryVaspExtraInfo', 2_000],
    ['vaspInfo.originatorVaspName', 200],
  ] as [string, number][])('takes %s up to %i characters', (path, limit) => {
    const longest = 'x'.repeat(limit);
    expect(valueAt(path, PatchTransactionBody.parse(withValue(path, longest, {})))).toBe(longest);
    expect(faultsOf(PatchTransactionBody, withValue(path, `${longest}x`, {}))).toEqual([path]);
    expect(faultsOf(PatchTransactionBody, withValue(path, '', {}))).toEqual([path]);
  });

  test.each([
    'statusReasoning',
    'statusReasonCode',
    'transactionHash',
    'metadata',
    'internalNote',
    'originator',
    'beneficiary',
    'additionalOriginators',
    'blockchainInfo.transactionHash',
    'blockchainInfo.blockchain',
    'blockchainInfo.origin',
    'vaspInfo.beneficiaryVaspName',
    'vaspInfo.beneficiaryVaspEmail',
    'vaspInfo.beneficiaryVaspExtraInfo',
    'vaspInfo.originatorVaspName',
    'vaspInfo.originatorVaspEmail',
    ...[...partyLimits.map(([field]) => field), 'type', 'country', 'lei', 'dateOfBirth', 'addressDetails']
      .filter((field) => !field.includes('.'))
      .map((field) => `originator.${field}`),
  ])('takes null to clear %s', (path) => {
    expect(faultsOf(PatchTransactionBody, withValue(path, null, {}))).toEqual([]);
  });

  test.each([
    'asset',
    'amount',
    'direction',
    'reference',
    'subStatus',
    'blockchainInfo.destination',
    'blockchainInfo.destinationTag',
    'blockchainInfo.destinationType',
    'blockchainInfo.originTag',
    'vaspInfo.beneficiaryVaspEntityId',
    'originator.colour',
  ])('has no field %s', (path) => {
    const issues = PatchTransactionBody.safeParse(withValue(path, 'x', {})).error?.issues ?? [];
    expect(issues.map(({ code }) => code)).toEqual(['unrecognized_keys']);
  });

  test.each([
    ['status', 'REJECTED'],
    ['status', 'confirmed'],
    ['status', null],
    ['statusReasonCode', 'BECAUSE'],
    ['vaspInfo.beneficiaryVaspEmail', 'nobody'],
  ])('refuses %s %j', (path, value) => {
    expect(faultsOf(PatchTransactionBody, withValue(path, value, {}))).toEqual([path]);
  });

  test('can set every field of a party that a create body can', () => {
    const fieldsOf = (schema: unknown) => Object.keys((schema as { shape: object }).shape).sort();
    const created = CreateTransactionBody.shape.originator.unwrap();
    const patched = PatchTransactionBody.shape.originator.unwrap().unwrap();
    expect(fieldsOf(patched)).toEqual(fieldsOf(created));
    expect(fieldsOf(PatchTransactionBody.shape.beneficiary.unwrap().unwrap())).toEqual(fieldsOf(created));
  });
});

test('the answer of a record with next to nothing in it has every field, null where there is nothing', () => {
  const answer = viewTransaction(transactionRecord(), 'entity');
  expect(Transaction.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
});
