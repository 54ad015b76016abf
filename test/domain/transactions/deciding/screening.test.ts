import {
  servesAgain,
  type TransactionScreening,
} from '../../../../domain/transactions/deciding/screening.ts';
import { clearScreening } from '../../../factories/transaction.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const daysAgo = (days: number) => new Date(NOW.getTime() - days * 24 * 3_600_000).toISOString();
const aml = (days: number) => ({ provider: 'chain-watch', fetchedAt: daysAgo(days) });
const wallet = (days: number) => ({ classification: 'CUSTODIAL', checkedAt: daysAgo(days) });

interface Found {
  aml: ReturnType<typeof aml> | null;
  wallet: ReturnType<typeof wallet> | null;
}

/** A screening of now that has taken its wallet findings over from earlier ones. */
const renewed = (found: Found): TransactionScreening => ({
  ...clearScreening(transactionRecord(), NOW),
  ...(found as Pick<TransactionScreening, 'aml' | 'wallet'>),
});

describe('the wallet findings of the screening before', () => {
  test.each<[string, Found, boolean]>([
    ['of six days', { aml: aml(6), wallet: wallet(6) }, true],
    ['of eight days, though they were taken over today', { aml: aml(8), wallet: wallet(8) }, false],
    ['with an old result of the provider', { aml: aml(8), wallet: wallet(1) }, false],
    ['with an old classification', { aml: aml(1), wallet: wallet(8) }, false],
    ['without a classification', { aml: aml(6), wallet: null }, true],
    ['with an old classification alone', { aml: null, wallet: wallet(8) }, false],
    ['of which there are none', { aml: null, wallet: null }, false],
  ])('%s serve again: %j', (_, found, expected) => {
    const provider = found.aml?.provider ?? null;
    expect(servesAgain(renewed(found), transactionRecord(), provider, NOW)).toBe(expected);
  });

  test.each(['DELIVERED', 'CONFIRMED'] as const)(
    'serve a message that is %s, however old they are',
    (status) => {
      const sent = transactionRecord({ status, pairId: '01a' });
      const found = renewed({ aml: aml(80), wallet: wallet(80) });
      expect(servesAgain(found, sent, 'chain-watch', NOW)).toBe(true);
    },
  );

  test('do not serve another provider or another wallet', () => {
    const found = renewed({ aml: aml(1), wallet: wallet(1) });
    expect(servesAgain(found, transactionRecord(), 'another', NOW)).toBe(false);
    const elsewhere = transactionRecord({ destination: '0x8617E340B3D01FA5F11F306F4090FD50E238070D' });
    expect(servesAgain(found, elsewhere, 'chain-watch', NOW)).toBe(false);
  });
});
