import { newTransaction } from '../../../domain/transactions/new-transaction.ts';
import { CreateTransactionBody } from '../../../domain/transactions/schema.ts';
import { createBody, DESTINATION, NOW, shown } from '../../factories/transaction-record.ts';
import { refusalOf } from './refusal-of.ts';
import { DAY_MS } from '../../../domain/durations.ts';

const tenant = { id: 'tenant-1', name: 'Alpine Exchange', email: 'compliance@alpine.example' };
const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const price = { usd: '4000', eur: '3600', source: 'prices.example', pricedAt: NOW };

function make(
  body: Parameters<typeof createBody>[0] = {},
  given: Partial<Parameters<typeof newTransaction>[1]> = {},
) {
  const circumstances = { id: 'record-1', tenant, actor, now: NOW, price: undefined, ...given };
  return newTransaction(CreateTransactionBody.parse(createBody(body)), circumstances);
}

const pointersOf = (body: Parameters<typeof createBody>[0]) =>
  refusalOf(() => make(body)).details.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

describe('a message that a tenant sends', () => {
  test('starts PENDING, is routed at once and given up after 90 days', () => {
    const { record } = make();
    expect(shown(record)).toMatchObject({
      id: 'record-1',
      tenantId: 'tenant-1',
      direction: 'OUTGOING',
      status: 'PENDING',
      subStatus: 'ROUTING',
      wakeAt: NOW,
      deadlineAt: new Date(NOW.getTime() + 90 * DAY_MS),
      isDestinationConfirmed: null,
      sealed: false,
      messageSource: null,
      pairId: null,
      version: 1,
      createdAt: NOW,
      updatedAt: NOW,
      deletedAt: null,
    });
  });

  test('names its tenant as originator VASP, and nobody as the beneficiary VASP unless given', () => {
    expect(make().record.personal.vaspInfo).toEqual({
      beneficiaryVaspName: null,
      beneficiaryTravelAddress: null,
      beneficiaryVaspEmail: null,
      beneficiaryVaspExtraInfo: null,
      originatorVaspName: 'Alpine Exchange',
      originatorVaspEmail: 'compliance@alpine.example',
    });
    const vaspInfo = {
      beneficiaryVaspName: 'Harbour Custody',
      beneficiaryVaspEmail: 'desk@harbour.example',
      beneficiaryVaspExtraInfo: 'desk 4',
    };
    expect(make({ vaspInfo }).record.personal.vaspInfo).toMatchObject(vaspInfo);
  });

  test('cannot name another originator VASP', () => {
    const vaspInfo = { originatorVaspName: 'Other', originatorVaspEmail: 'a@other.example' };
    expect(pointersOf({ vaspInfo })).toEqual([
      '/vaspInfo/originatorVaspName not_allowed',
      '/vaspInfo/originatorVaspEmail not_allowed',
    ]);
  });
});

describe('a transfer that a tenant recorded as received', () => {
  test('is screened and waits for nothing but the tenant: no deadline, not sealed', () => {
    const { record } = make({ direction: 'INCOMING' });
    expect(shown(record)).toMatchObject({
      direction: 'INCOMING',
      status: 'PENDING',
      subStatus: null,
      screeningState: 'DUE',
      wakeAt: NOW,
      deadlineAt: null,
      sealed: false,
      isDestinationConfirmed: null,
      messageSource: 'MANUAL',
    });
  });

  test('names its tenant as beneficiary VASP and whom the tenant says as originator VASP', () => {
    const vaspInfo = { originatorVaspName: 'Other', originatorVaspEmail: 'a@other.example' };
    expect(make({ direction: 'INCOMING', vaspInfo }).record.personal.vaspInfo).toEqual({
      beneficiaryVaspName: 'Alpine Exchange',
      beneficiaryTravelAddress: null,
      beneficiaryVaspEmail: null,
      beneficiaryVaspExtraInfo: null,
      originatorVaspName: 'Other',
      originatorVaspEmail: 'a@other.example',
    });
  });
});

test('everything that was sent is in the record', () => {
  const party = { name: 'Ada Lovelace', country: 'GB' };
  const { record } = make({
    asset: 'USDC',
    amount: 0.1,
    reference: 'order-17',
    metadata: 'for the audit',
    internalNote: 'ours alone',
    blockchainInfo: {
      blockchain: 'eth',
      transactionHash: `0x${'AB'.repeat(32)}`,
      origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
      originTag: '12',
      originType: 'NON_CUSTODIAL',
      destinationTag: '34',
      destinationType: 'NON_CUSTODIAL',
    },
    originator: party,
    beneficiary: { name: 'Grace Hopper' },
    additionalOriginators: [party],
  });
  expect(record).toMatchObject({
    asset: 'USDC',
    amount: '0.1',
    reference: 'order-17',
    blockchain: 'eth',
    blockchainKey: 'Ethereum',
    transactionHash: `0x${'AB'.repeat(32)}`,
    hashNormal: 'ab'.repeat(32),
    origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    originNormal: '0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359',
    originTag: '12',
    originType: 'NON_CUSTODIAL',
    destination: DESTINATION,
    destinationNormal: DESTINATION.toLowerCase(),
    destinationTag: '34',
    destinationType: 'NON_CUSTODIAL',
    personal: {
      originator: party,
      beneficiary: { name: 'Grace Hopper' },
      additionalOriginators: [party],
      metadata: 'for the audit',
      internalNote: 'ours alone',
      statusReasoning: null,
    },
  });
});

test('what was not sent is null, an empty party too', () => {
  const { record } = make({ originator: {} });
  expect(record).toMatchObject({
    reference: null,
    transactionHash: null,
    hashNormal: null,
    origin: null,
    originNormal: null,
    originTag: null,
    destinationTag: null,
    originType: 'CUSTODIAL',
    personal: {
      originator: null,
      beneficiary: null,
      additionalOriginators: [],
      metadata: null,
      internalNote: null,
    },
  });
});

describe('the chain', () => {
  test.each([
    ['ETH', 'Ethereum'],
    ['BNB', 'BNB Smart Chain'],
    ['USDC', null],
  ])('of %s is %j when none is given', (asset, blockchain) => {
    expect(make({ asset }).record).toMatchObject({ blockchain, blockchainKey: blockchain });
  });

  test('decides which addresses are valid', () => {
    const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    expect(make({ asset: 'BTC', blockchainInfo: { destination: bitcoin } }).record.blockchain).toBe(
      'Bitcoin',
    );
    expect(pointersOf({ asset: 'BTC' })).toEqual(['/blockchainInfo/destination address_invalid']);
    expect(pointersOf({ blockchainInfo: { origin: bitcoin } })).toEqual([
      '/blockchainInfo/origin address_invalid',
    ]);
    const unknown = { blockchain: 'Some Chain', destination: 'account-1' };
    expect(make({ blockchainInfo: unknown }).record.destinationNormal).toBe('account-1');
  });
});

describe('the fiat value', () => {
  test('comes from the price at hand, whose source and time the log tells', () => {
    const { record, event } = make({}, { price });
    expect(record).toMatchObject({ amountUsd: '6000', amountEur: '5400' });
    expect(event.data).toEqual({ priceSource: 'prices.example', pricedAt: NOW.toISOString() });
  });

  test('is null without a price, never 0', () => {
    const { record, event } = make();
    expect(record).toMatchObject({ amountUsd: null, amountEur: null });
    expect(event.data).toEqual({});
  });
});

describe('parties at fault', () => {
  test('are all named, each at its place', () => {
    const future = { dateOfBirth: '2026-11-22' };
    const wrongLei = { nationalIdentificatorType: 'LEIX' as const, nationalIdentificator: 'X'.repeat(20) };
    expect(
      pointersOf({
        originator: future,
        beneficiary: wrongLei,
        additionalOriginators: [{ name: 'fine' }, future],
      }),
    ).toEqual([
      '/originator/dateOfBirth date_in_future',
      '/beneficiary/nationalIdentificator lei_invalid',
      '/additionalOriginators/1/dateOfBirth date_in_future',
    ]);
  });

  test('may be born today, by UTC', () => {
    const lateEvening = new Date('2026-11-21T23:59:59.999Z');
    expect(make({ originator: { dateOfBirth: '2026-11-21' } }, { now: lateEvening }).record.createdAt).toBe(
      lateEvening,
    );
  });
});

test('the log opens with who created it and where it stands', () => {
  expect(make().event).toEqual({
    type: 'CREATED',
    message: 'Transaction accepted.',
    actor,
    newStatus: 'PENDING',
    data: {},
  });
  expect(make({ direction: 'INCOMING' }).event.message).toBe('Incoming transaction recorded.');
});
