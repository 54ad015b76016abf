import { SYSTEM } from '../../../../domain/events/actor.ts';
import { finishRelease, owedRelease } from '../../../../domain/transactions/lifecycle/release.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';

const RELEASE = '0190d1a2-7b3c-7def-8123-456789abcdef';
const record = transactionRecord({ direction: 'INCOMING', status: 'DELIVERED', destinationWalletId: 7 });

test('a record that owes its release gets the entry with the wallet, and nobody in it', () => {
  expect(owedRelease({ ...record, releaseId: RELEASE })).toEqual({
    type: 'RELEASED',
    message: expect.any(String) as unknown,
    actor: SYSTEM,
    data: { walletId: 7 },
  });
});

test('a record that owes nothing gets no entry', () => {
  expect(owedRelease(record)).toBeNull();
});

test('finishing a release changes nothing but the time, and tells the tenant', () => {
  const now = new Date(NOW.getTime() + 1_000);
  const owing = { ...record, releaseId: RELEASE };
  expect(finishRelease(owing, now)).toEqual({
    after: { ...owing, updatedAt: now },
    events: [],
    notify: true,
    wakesWorkflow: false,
  });
});
