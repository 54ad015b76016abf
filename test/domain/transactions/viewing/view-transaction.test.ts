import { Transaction } from '../../../../domain/transactions/schema.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { DESTINATION, NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const parties = {
  originator: { name: 'Ada Lovelace', addressDetails: { town: 'London' } },
  beneficiary: { name: 'Grace Hopper' },
  additionalOriginators: [{ name: 'Charles Babbage' }],
};

test('a record is shown with every field that the answer names', () => {
  const record = transactionRecord({
    status: 'CONFIRMED',
    statusReasonCode: 'OTHER',
    amount: '0.123456789012345678',
    amountUsd: '493.83',
    amountEur: '444.44',
    reference: 'order-17',
    counterpartyEntityId: 'entity-of-the-other',
    destinationWalletId: 7,
    isDestinationConfirmed: true,
    messageSource: 'NATIVE',
    version: 4,
    personal: { ...parties, metadata: 'm', internalNote: 'n', statusReasoning: 'r' },
  });
  const shown = viewTransaction(record, 'own-entity');
  expect(Transaction.parse(JSON.parse(JSON.stringify(shown)))).toEqual(shown);
  expect(shown).toMatchObject({
    id: record.id,
    status: 'CONFIRMED',
    subStatus: 'AWAITING_TRANSACTION_HASH',
    statusReasoning: 'r',
    statusReasonCode: 'OTHER',
    direction: 'OUTGOING',
    createdAt: NOW.toISOString(),
    updatedAt: NOW.toISOString(),
    version: 4,
    reference: 'order-17',
    metadata: 'm',
    internalNote: 'n',
    asset: 'ETH',
    amount: 0.12345678901234568,
    amountDecimal: '0.123456789012345678',
    amountUsd: 493.83,
    amountEur: 444.44,
    blockchainInfo: {
      blockchain: 'Ethereum',
      destination: DESTINATION,
      destinationType: 'CUSTODIAL',
      originType: 'CUSTODIAL',
      isDestinationConfirmed: true,
      destinationWalletId: 7,
    },
    vaspInfo: {
      originatorVaspName: 'Alpine Exchange',
      originatorVaspEntityId: 'own-entity',
      beneficiaryVaspEntityId: 'entity-of-the-other',
    },
    originator: { name: 'Ada Lovelace', addressDetails: { town: 'London', street: null }, country: null },
    beneficiary: { name: 'Grace Hopper' },
    additionalOriginators: [{ name: 'Charles Babbage' }],
    travelRuleMessageSource: 'NATIVE',
  });
});

test('what was received has the tenant itself as beneficiary VASP', () => {
  const record = transactionRecord({ direction: 'INCOMING', counterpartyEntityId: 'entity-of-the-other' });
  expect(viewTransaction(record, 'own-entity').vaspInfo).toMatchObject({
    originatorVaspEntityId: 'entity-of-the-other',
    beneficiaryVaspEntityId: 'own-entity',
  });
});

test('amounts that nobody knows are null, and none is ever 0 for being small', () => {
  const unknown = transactionRecord({ amount: null, amountUsd: null, amountEur: null });
  expect(viewTransaction(unknown, 'e')).toMatchObject({
    amount: null,
    amountDecimal: null,
    amountUsd: null,
    amountEur: null,
  });
  const dust = transactionRecord({ amount: `0.${'0'.repeat(29)}1` });
  expect(viewTransaction(dust, 'e').amount).toBe(1e-30);
});

test('a sealed record shows nobody, but what happens to it', () => {
  const sealed = transactionRecord({
    direction: 'INCOMING',
    sealed: true,
    status: 'DECLINED',
    statusReasonCode: 'UNKNOWN_ADDRESS',
    personal: { ...parties, metadata: 'm', internalNote: 'n', statusReasoning: 'not ours' },
  });
  const shown = viewTransaction(sealed, 'own-entity');
  expect(shown).toMatchObject({
    originator: null,
    beneficiary: null,
    additionalOriginators: [],
    metadata: 'm',
    internalNote: 'n',
    statusReasoning: 'not ours',
    blockchainInfo: { destination: DESTINATION },
    vaspInfo: { beneficiaryVaspName: 'Alpine Exchange' },
  });
  expect(JSON.stringify(shown)).not.toMatch(/Ada|Grace|Charles/);
  expect(viewTransaction({ ...sealed, sealed: false }, 'own-entity').originator?.name).toBe('Ada Lovelace');
});
