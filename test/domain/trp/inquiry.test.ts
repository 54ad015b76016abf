import { TrpInquiry, TrpResolution } from '../../../domain/trp/messages.ts';
import { readTrpHeaders, TRANSFER_EXTENSION } from '../../../domain/trp/protocol.ts';
import { readInquiry, type AskedWallet } from '../../../domain/trp/read-inquiry.ts';
import { reasonCodeIn, rejectedText } from '../../../domain/trp/write-answers.ts';
import { writeInquiry } from '../../../domain/trp/write-inquiry.ts';
import { REASON_CODES } from '../../../domain/transactions/record.ts';
import { payloadOf } from '../ivms101/fixtures.ts';
import { transactionRecord } from '../../factories/transaction-record.ts';

const TODAY = '2026-11-24';
const wallet: AskedWallet = {
  address: '0x52908400098527886E0F7030069857D2E4169EE7',
  tag: null,
  asset: 'ETH',
  blockchain: 'Ethereum',
};
const VASP = { type: 'LEGAL', name: 'Alpine Exchange AG', country: 'CH' } as const;
const callback = 'https://alpine.example/trp/resolutions/x';

const record = () =>
  transactionRecord({
    asset: 'ETH',
    amount: '1.234567890123456789',
    blockchain: 'Ethereum',
    personal: {
      originator: { type: 'NATURAL', firstName: 'Anna', lastName: 'Keller', dateOfBirth: '1984-03-12' },
      beneficiary: { type: 'NATURAL', firstName: 'Jonas', lastName: 'Brandt' },
    },
  });

const inquiryOf = (changes: object = {}) =>
  TrpInquiry.parse({ ...writeInquiry(record(), { callback, originatingVasp: VASP }).body, ...changes });
const codesOf = (changes: object, asked = wallet) => {
  const read = readInquiry(inquiryOf(changes), asked, TODAY);
  return read.ok ? [] : read.faults.map(({ pointer, code }) => `${pointer} ${code}`);
};

test('what one writes the other reads, to the last digit', () => {
  const read = readInquiry(inquiryOf(), wallet, TODAY);
  expect(read).toMatchObject({
    ok: true,
    originatorVasp: { name: 'Alpine Exchange AG', country: 'CH' },
    body: {
      asset: 'ETH',
      amount: '1.234567890123456789',
      blockchainInfo: { blockchain: 'Ethereum', destination: wallet.address },
      originator: { firstName: 'Anna', lastName: 'Keller', dateOfBirth: '1984-03-12' },
      beneficiary: { firstName: 'Jonas', lastName: 'Brandt' },
    },
  });
});

test('other products know nothing of the extension', () => {
  const IVMS101 = payloadOf('21-analytics-2020.json');
  const read = readInquiry(inquiryOf({ extensions: undefined, amount: 0.25, IVMS101 }), wallet, TODAY);
  expect(read).toMatchObject({ ok: true, body: { asset: 'ETH', amount: '0.25' } });
});

test('a token has no coin type, so that nobody takes it for the coin of its chain', () => {
  const token = { ...record(), asset: 'USDT' };
  const { body } = writeInquiry(token, { callback, originatingVasp: VASP });
  expect(body).toMatchObject({ asset: {}, extensions: { [TRANSFER_EXTENSION]: { asset: 'USDT' } } });
  expect(codesOf({ asset: {}, extensions: undefined })).toEqual(['/asset asset_not_supported']);
});

const IN_EXTENSION = `/extensions/${TRANSFER_EXTENSION}`;
const SAME = { asset: 'ETH', amount: '1.234567890123456789' };
const extended = (extension: unknown) => ({ extensions: { [TRANSFER_EXTENSION]: extension } });

test.each<[string, object]>([
  ['more members than are known', extended({ ...SAME, colour: 'red' })],
  ['the symbol in another case', extended({ ...SAME, asset: 'eth' })],
  ['zeros at the end', { amount: '1.234567890123456789000', ...extended(SAME) }],
  ['no coin type', { asset: {} }],
  ['a null in place of the extension', { amount: 1.2, ...extended(null) }],
])('the extension may have %s', (_, changes) => {
  expect(codesOf(changes)).toEqual([]);
});

describe('an inquiry is refused with its faults', () => {
  const person = (inquiryOf().IVMS101 as { beneficiary: { beneficiaryPersons: object[] } }).beneficiary;

  test.each([
    ['another asset', { asset: { slip0044: 0 }, extensions: {} }, '/asset asset_not_supported'],
    ['an unknown asset', { asset: { slip0044: 999_999 }, extensions: {} }, '/asset asset_not_supported'],
    ['no amount', { amount: 0, extensions: {} }, '/amount invalid_decimal'],
    ['a negative amount', { amount: -1, extensions: {} }, '/amount invalid_decimal'],
    [
      'another chain',
      { extensions: { [TRANSFER_EXTENSION]: { asset: 'ETH', blockchain: 'Base', amount: '1' } } },
      `/extensions/${TRANSFER_EXTENSION}/blockchain blockchain_not_supported`,
    ],
    ['no persons', { IVMS101: {} }, '/IVMS101 required'],
    ['an extension that is none', extended('ETH'), `${IN_EXTENSION} invalid_type`],
    ['an extension without the amount', extended({ asset: 'ETH' }), `${IN_EXTENSION}/amount invalid_type`],
    [
      'a member of the extension that cannot be read',
      extended({ ...SAME, transactionHash: 7 }),
      `${IN_EXTENSION}/transactionHash invalid_type`,
    ],
    ['another amount', extended({ ...SAME, amount: '1.2' }), `${IN_EXTENSION}/amount contradiction`],
    [
      'another amount as text',
      { amount: '1.234567890123456780', ...extended(SAME) },
      `${IN_EXTENSION}/amount contradiction`,
    ],
    ['the coin type of another asset', { asset: { slip0044: 0 } }, `${IN_EXTENSION}/asset contradiction`],
    [
      'a coin type that nobody knows',
      { asset: { slip0044: 999_999 } },
      `${IN_EXTENSION}/asset contradiction`,
    ],
  ])('%s', (_, changes, fault) => {
    expect(codesOf(changes)).toContain(fault);
  });

  test('two beneficiaries', () => {
    const { IVMS101 } = inquiryOf();
    const beneficiaryPersons = [...person.beneficiaryPersons, ...person.beneficiaryPersons];
    const twice = { ...IVMS101, beneficiary: { ...person, beneficiaryPersons } };
    expect(codesOf({ IVMS101: twice })).toEqual(['/IVMS101/beneficiary too_many']);
  });

  test('what could not be compared with lists: more accounts, names or businesses than are kept', () => {
    const { IVMS101 } = inquiryOf();
    const with_ = (changes: object) => codesOf({ IVMS101: { ...IVMS101, ...changes } });
    const accounts = (accountNumber: string[]) => with_({ beneficiary: { ...person, accountNumber } });
    expect(accounts(['A-1', 'A-1'])).toEqual([]);
    expect(accounts(['A-1', 'A-2'])).toEqual(['/IVMS101/beneficiary/accountNumber/1 too_many']);
    expect(accounts(['a'.repeat(101)])).toEqual(['/IVMS101/beneficiary/accountNumber/0 too_many']);
    const named = (names: object[]) => {
      const nameIdentifier = names.map((name) => ({ nameIdentifierType: 'ALIA', ...name }));
      return with_({ originator: { originatorPersons: [{ naturalPerson: { name: { nameIdentifier } } }] } });
    };
    const several = Array.from({ length: 22 }, (_, index) => ({ primaryIdentifier: `Name ${index}` }));
    const at = '/IVMS101/originator/originatorPersons/0/naturalPerson';
    expect(named(several.slice(1))).toEqual([]);
    expect(named(several)).toEqual([`${at} too_many`]);
    const long = { primaryIdentifier: 'a'.repeat(100), secondaryIdentifier: 'b'.repeat(100) };
    expect(named([{ primaryIdentifier: 'Anna' }, long])).toEqual([`${at} too_long`]);
    const intermediaryVASP = { legalPerson: { name: { nameIdentifier: [{ legalPersonName: 'Middle' }] } } };
    const transferPath = [{ intermediaryVASP, sequence: 0 }];
    expect(with_({ transferPath })).toEqual(['/IVMS101/transferPath/0 not_allowed']);
    expect(with_({ transferPath: [] })).toEqual([]);
  });
});

test('a resolution is one of three', () => {
  const isOne = (body: object) => TrpResolution.safeParse(body).success;
  expect([{ version: '3.2.1' }, { rejected: 'no' }, { approved: { address: 'a' } }].every(isOne)).toBe(true);
  expect([{}, { version: '3', rejected: 'no' }, { approved: {} }, { rejected: 1 }].some(isOne)).toBe(false);
});

test('a refusal says its code and nothing of the reasons', () => {
  const text = rejectedText({ statusReasonCode: 'NAME_MISMATCH' });
  expect(text).toBe('NAME_MISMATCH: The beneficiary VASP does not accept the transfer.');
  expect(reasonCodeIn(text, REASON_CODES)).toBe('NAME_MISMATCH');
  expect(['', 'no', 'WRONG: x', '__proto__: x'].map((other) => reasonCodeIn(other, REASON_CODES))).toEqual(
    Array(4).fill('OTHER'),
  );
});

test('any version 3 is understood, and a request has a name', () => {
  const read = (version?: string, request?: string) => {
    const headers: Record<string, string | undefined> = {
      'api-version': version,
      'request-identifier': request,
    };
    const found = readTrpHeaders((name) => headers[name]);
    return found.ok ? found.requestIdentifier : found.faults.map(({ header }) => header);
  };
  expect(['3.2.1', '3.1.0', '3'].map((version) => read(version, 'a'))).toEqual(['a', 'a', 'a']);
  expect([read('2.1.0', 'a'), read('3.2.1'), read()]).toEqual([
    ['api-version'],
    ['request-identifier'],
    ['api-version', 'request-identifier'],
  ]);
  expect(read('3.2.1', 'a\r\nb')).toEqual(['request-identifier']);
});
