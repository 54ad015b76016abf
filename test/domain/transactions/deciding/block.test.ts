import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import { reviewTransaction } from '../../../../domain/transactions/deciding/review.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { NOW, shown, transactionRecord } from '../../../factories/transaction-record.ts';

const LATER = new Date(NOW.getTime() + 60_000);
const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const by = { actor, now: LATER };
const BLOCK = { decision: 'BLOCK', reason: 'it is him' } as const;

const held = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({ hold: 'SANCTIONS', ...overrides });
const arrived = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  held({ direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE', ...overrides });

describe('the block of a reviewer', () => {
  const STATES = [
    ['before delivery', held()],
    ['after delivery', held({ status: 'DELIVERED' })],
    ['after the counterparty has confirmed', held({ status: 'CONFIRMED' })],
    ['of a received message', arrived()],
    ['of a received message that is CONFIRMED', arrived({ status: 'CONFIRMED' })],
  ] as const;
  const blockedOf = (record: TransactionRecord) =>
    reviewTransaction(record, null, BLOCK, by).own?.after ?? record;

  test.each(STATES)('%s survives every hash that its tenant adds, replaces or removes later', (_, record) => {
    let blocked = blockedOf(record);
    for (const transactionHash of ['abc', 'def', null]) {
      blocked = patchTransaction(blocked, null, { transactionHash }, by).own?.after ?? record;
      expect(blocked.transactionHash).toBe(transactionHash);
      expect(shown(blocked).subStatus).toBe('BLOCKED_BY_REVIEW');
      expect(clearanceOf(blocked)).toMatchObject({ outcome: 'STOP', nextAction: 'NONE' });
    }
  });

  test('of a received message survives the hash that the counterparty sends later', () => {
    let blocked = blockedOf(arrived({ status: 'CONFIRMED' }));
    let outgoing = transactionRecord({ status: 'CONFIRMED' });
    for (const transactionHash of ['abc', 'def', null]) {
      const { own, counterpart } = patchTransaction(outgoing, blocked, { transactionHash }, by);
      outgoing = own?.after ?? outgoing;
      blocked = counterpart?.after ?? blocked;
      expect(blocked.transactionHash).toBe(transactionHash);
      expect(clearanceOf(blocked)).toMatchObject({
        outcome: 'STOP',
        reasons: ['CONFIRMED', 'BLOCKED_BY_REVIEW', 'SANCTIONS'],
      });
    }
    // The block does not affect the counterparty's record.
    expect(clearanceOf({ ...outgoing, transactionHash: 'abc' }).outcome).toBe('GO');
  });
});
