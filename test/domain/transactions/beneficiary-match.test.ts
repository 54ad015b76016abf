import type { Party } from '../../../domain/parties/party.ts';
import { beneficiaryMatchOf, holderWalletOf } from '../../../domain/transactions/beneficiary-match.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';

const received = (beneficiary: Party | null, overrides = {}) =>
  transactionRecord({
    direction: 'INCOMING',
    status: 'DELIVERED',
    messageSource: 'NATIVE',
    destinationWalletId: 7,
    personal: { beneficiary },
    ...overrides,
  });
const person = (name: string): Party => ({ type: 'NATURAL', name });
const firm = (name: string): Party => ({ type: 'LEGAL', name });

test.each<[Party, string, string]>([
  [person('Jonas Brandt'), 'Jonas Brandt', 'MATCH'],
  [person('BRANDT, Jonas'), 'Jonas Brandt', 'MATCH'],
  [person('Dr. Jonas Brandt'), 'Jonas Brandt', 'MATCH'],
  [person('Jurgen Muller'), 'Jürgen Müller', 'MATCH'],
  [person('Иван Петров'), 'Ivan Petrov', 'MATCH'],
  [{ firstName: 'Jonas', lastName: 'Brandt' }, 'Jonas Brandt', 'MATCH'],
  [{ name: 'Acme Limited' }, 'Acme Ltd', 'MATCH'],
  [firm('Acme Ltd'), 'ACME Limited', 'MATCH'],
  [person('J. Brandt'), 'Jonas Brandt', 'CLOSE'],
  [person('Jonas Brant'), 'Jonas Brandt', 'CLOSE'],
  [person('Jonas Karl Brandt'), 'Jonas Brandt', 'CLOSE'],
  [person('Jonas Brandt'), 'Jonas Karl Brandt', 'CLOSE'],
  [person('Juergen Mueller'), 'Jürgen Müller', 'CLOSE'],
  [firm('Acme'), 'Acme GmbH', 'CLOSE'],
  [person('Maria Brandt'), 'Jonas Brandt', 'MISMATCH'],
  [person('Jonas Keller'), 'Jonas Brandt', 'MISMATCH'],
  [person('Brandt'), 'Jonas Brandt', 'MISMATCH'],
  [person('Anna Keller'), 'Jonas Brandt', 'MISMATCH'],
  [firm('Acme AG'), 'Acme GmbH', 'MISMATCH'],
  [firm('Beta GmbH'), 'Acme GmbH', 'MISMATCH'],
  [{ name: 'Jonas Brandt', firstName: 'Anna', lastName: 'Keller' }, 'Jonas Brandt', 'MISMATCH'],
])('%j for the holder %j: %s', (beneficiary, holder, match) => {
  expect(beneficiaryMatchOf(received(beneficiary), holder)).toBe(match);
});

test.each([
  ['the holder is unknown', received(person('Jonas Brandt')), undefined],
  ['the beneficiary is unknown', received(null), 'Jonas Brandt'],
  ['it has no name', received({ country: 'CH' }), 'Jonas Brandt'],
  ['its name is a placeholder', received(person('N/A')), 'Jonas Brandt'],
  ['the record is sealed', received(person('Jonas Brandt'), { sealed: true }), 'Jonas Brandt'],
  ['the wallet is unknown', received(person('Jonas Brandt'), { destinationWalletId: null }), 'Jonas Brandt'],
  ['the tenant is the sender', received(person('Jonas Brandt'), { direction: 'OUTGOING' }), 'Jonas Brandt'],
])('null, and no wallet to read: %s', (_, record, holder) => {
  expect(beneficiaryMatchOf(record, holder)).toBeNull();
  if (holder !== undefined) expect(holderWalletOf(record)).toBeNull();
});

test('beside an own record, what the message said is compared, until it is taken back', () => {
  const message = {
    receivedAt: NOW.toISOString(),
    takenBackAt: null as string | null,
    beneficiary: person('Anna Keller'),
  };
  const own = (version: typeof message) =>
    received(person('Jonas Brandt'), {
      personal: { beneficiary: person('Jonas Brandt'), received: version },
    });
  expect(beneficiaryMatchOf(own(message), 'Jonas Brandt')).toBe('MISMATCH');
  expect(beneficiaryMatchOf(own({ ...message, takenBackAt: NOW.toISOString() }), 'Jonas Brandt')).toBe(
    'MATCH',
  );
});
