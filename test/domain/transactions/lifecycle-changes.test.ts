import { SYSTEM } from '../../../domain/events/actor.ts';
import { NO_CHANGE, type Decision } from '../../../domain/transactions/change.ts';
import {
  confirmSelfHosted,
  expire,
  fillFiatValues,
  markUnreachable,
  markUnrouted,
  nextRouting,
  release,
} from '../../../domain/transactions/lifecycle-changes.ts';
import { planOf } from '../../../domain/transactions/next-step.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { STATUSES, type SubStatus } from '../../../domain/transactions/state.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const later = (ms: number, from = NOW) => new Date(from.getTime() + ms);

/** The record after the change; fails where nothing changed. */
function afterOf({ own }: Decision): TransactionRecord {
  if (!own) throw new Error('nothing changed');
  return own.after;
}

const notPendingOutgoing = [
  ...STATUSES.filter((status) => status !== 'PENDING').map((status) => transactionRecord({ status })),
  transactionRecord({ direction: 'INCOMING' }),
];

describe('a message for nobody known', () => {
  test('waits a day for its receiver to appear, and its tenant is told', () => {
    const { own } = markUnrouted(transactionRecord(), NOW);
    expect(own).toMatchObject({
      after: { status: 'PENDING', subStatus: 'VASP_NOT_FOUND', wakeAt: later(DAY_MS), updatedAt: NOW },
      events: [{ type: 'VASP_NOT_FOUND', actor: SYSTEM, previousStatus: 'PENDING', newStatus: 'PENDING' }],
      notify: true,
      poke: false,
    });
  });

  test('never waits beyond its deadline', () => {
    const deadlineAt = later(HOUR_MS);
    expect(afterOf(markUnrouted(transactionRecord({ deadlineAt }), NOW)).wakeAt).toEqual(deadlineAt);
    expect(nextRouting(transactionRecord({ deadlineAt: null }), NOW)).toEqual(later(DAY_MS));
  });

  test('is told of once', () => {
    const marked = afterOf(markUnrouted(transactionRecord(), NOW));
    expect(markUnrouted(marked, later(DAY_MS))).toBe(NO_CHANGE);
  });

  test('is only an outgoing one that is pending', () => {
    for (const record of notPendingOutgoing) expect(markUnrouted(record, NOW)).toBe(NO_CHANGE);
  });
});

describe('a counterparty that cannot be reached', () => {
  test('is tried after a minute, then twice as long each time up to an hour, until 72 hours have passed', () => {
    let record = transactionRecord();
    let now = NOW;
    const delays: number[] = [];
    while (planOf(record, now).step !== 'EXPIRE' && delays.length < 200) {
      record = afterOf(markUnreachable(record, now));
      const wakeAt = record.wakeAt ?? now;
      delays.push((wakeAt.getTime() - now.getTime()) / 60_000);
      now = wakeAt;
    }
    expect(delays.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(Math.max(...delays)).toBe(60);
    expect(now).toEqual(later(72 * HOUR_MS));
    expect(record).toMatchObject({
      status: 'PENDING',
      subStatus: 'VASP_NOT_REACHABLE',
      deliveryAttempts: delays.length,
      deliveryStartedAt: NOW,
      deadlineAt: later(72 * HOUR_MS),
    });
    expect(afterOf(expire(record, now))).toMatchObject({ status: 'FAILED', subStatus: 'VASP_NOT_REACHABLE' });
  });

  test('counts its attempts in the log, and tells its tenant of the first alone', () => {
    const first = markUnreachable(transactionRecord(), NOW);
    const second = markUnreachable(afterOf(first), later(60_000));
    expect(first.own).toMatchObject({
      events: [{ type: 'DELIVERY_FAILED', data: { attempt: 1 } }],
      notify: true,
    });
    expect(second.own).toMatchObject({
      events: [{ type: 'DELIVERY_FAILED', data: { attempt: 2 } }],
      notify: false,
    });
  });

  test('is only that of an outgoing message that is pending', () => {
    for (const record of notPendingOutgoing) expect(markUnreachable(record, NOW)).toBe(NO_CHANGE);
  });
});

describe('a wait whose time is over', () => {
  const waiting = (overrides: Parameters<typeof transactionRecord>[0]) =>
    transactionRecord({ deadlineAt: NOW, wakeAt: NOW, ...overrides });

  test.each<[Parameters<typeof transactionRecord>[0], string, SubStatus, string | null]>([
    [{ status: 'PENDING', subStatus: 'VASP_NOT_FOUND' }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING', subStatus: 'ROUTING' }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING', subStatus: 'VASP_NOT_REACHABLE' }, 'FAILED', 'VASP_NOT_REACHABLE', 'EXPIRED'],
    [{ status: 'DELIVERED', subStatus: 'AWAITING_COUNTERPARTY' }, 'DELIVERED', 'EXPIRED', null],
  ])(
    'makes of %j %s/%s with reason %j, and nothing is waited for any more',
    (overrides, status, subStatus, code) => {
      const record = waiting(overrides);
      const { own } = expire(record, NOW);
      expect(own).toMatchObject({
        after: { status, subStatus, statusReasonCode: code, deadlineAt: null, wakeAt: null, updatedAt: NOW },
        events: [
          {
            type: 'EXPIRED',
            actor: SYSTEM,
            previousStatus: record.status,
            newStatus: status,
            basis: { kind: 'EXPIRY' },
          },
        ],
        notify: true,
        poke: false,
      });
      expect(planOf(afterOf(expire(record, NOW)), NOW).step).toBe('DONE');
      expect(expire(afterOf(expire(record, NOW)), later(DAY_MS))).toBe(NO_CHANGE);
    },
  );

  test('is not over a millisecond before, nor without a deadline', () => {
    expect(expire(waiting({ deadlineAt: later(1) }), NOW)).toBe(NO_CHANGE);
    expect(expire(waiting({ deadlineAt: null }), NOW)).toBe(NO_CHANGE);
  });

  test.each(STATUSES.filter((status) => status !== 'PENDING' && status !== 'DELIVERED'))(
    'is none of what is %s',
    (status) => {
      expect(expire(waiting({ status }), NOW)).toBe(NO_CHANGE);
    },
  );
});

describe('a transfer to a self-hosted wallet', () => {
  const selfHosted = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({ destinationType: 'NON_CUSTODIAL', amountEur: '1000', ...overrides });

  test.each<[string | null, boolean, string | null, boolean]>([
    ['999.99', true, '1000', true],
    ['1000', true, '1000', true],
    ['1000.01', true, '1000', false],
    ['10000', true, '1000', false],
    ['9.5', true, '10', true],
    [null, true, '1000', false],
    ['0.01', true, '0', false],
    ['1000000', true, null, true],
    [null, true, null, true],
    ['1', false, '1000', false],
    ['1', false, null, false],
  ])(
    'worth %s EUR, by setting %j up to %s, is confirmed at once: %j',
    (amountEur, autoConfirm, thresholdEur, yes) => {
      const after = afterOf(confirmSelfHosted(selfHosted({ amountEur }), { autoConfirm, thresholdEur }, NOW));
      expect(after).toMatchObject(
        yes
          ? { status: 'CONFIRMED', subStatus: null, deadlineAt: null, wakeAt: null }
          : { status: 'PENDING', subStatus: 'OWNERSHIP_UNCONFIRMED' },
      );
    },
  );

  test('says in its log that the setting confirmed it', () => {
    const { own } = confirmSelfHosted(selfHosted(), { autoConfirm: true, thresholdEur: null }, NOW);
    expect(own).toMatchObject({
      events: [
        {
          type: 'STATUS_CHANGED',
          actor: SYSTEM,
          previousStatus: 'PENDING',
          newStatus: 'CONFIRMED',
          basis: { kind: 'AUTO_SELF_HOSTED' },
        },
      ],
      notify: true,
    });
  });

  test('that is not confirmed waits for a proof until its deadline, and says so once', () => {
    const settings = { autoConfirm: false, thresholdEur: null };
    const waiting = afterOf(confirmSelfHosted(selfHosted(), settings, NOW));
    expect(waiting.wakeAt).toEqual(waiting.deadlineAt);
    expect(planOf(waiting, NOW)).toMatchObject({ step: 'WAIT', waitingFor: 'OWNERSHIP_PROOF' });
    expect(confirmSelfHosted(waiting, settings, later(HOUR_MS))).toBe(NO_CHANGE);
  });

  test('is only an outgoing one that is pending', () => {
    const settings = { autoConfirm: true, thresholdEur: null };
    for (const record of notPendingOutgoing) {
      const own: TransactionRecord = { ...record, destinationType: 'NON_CUSTODIAL' };
      expect(confirmSelfHosted(own, settings, NOW)).toBe(NO_CHANGE);
    }
    expect(confirmSelfHosted(transactionRecord(), settings, NOW)).toBe(NO_CHANGE);
  });
});

describe('a fiat value that was unknown', () => {
  const price = { usd: '4000', eur: '3600', source: 'prices.example', pricedAt: NOW };

  test('is filled in with source and time in the log, and without a webhook', () => {
    const { own } = fillFiatValues(transactionRecord({ amount: '2' }), price, later(HOUR_MS));
    expect(own).toMatchObject({
      after: { amountUsd: '8000', amountEur: '7200', updatedAt: later(HOUR_MS) },
      events: [
        {
          type: 'FIAT_VALUED',
          data: { priceSource: 'prices.example', pricedAt: NOW.toISOString() },
        },
      ],
      notify: false,
      poke: false,
    });
  });

  test('stays unknown without a price or an amount', () => {
    expect(fillFiatValues(transactionRecord(), undefined, NOW)).toBe(NO_CHANGE);
    expect(fillFiatValues(transactionRecord(), { ...price, usd: null, eur: null }, NOW)).toBe(NO_CHANGE);
    expect(fillFiatValues(transactionRecord({ amount: null }), price, NOW)).toBe(NO_CHANGE);
  });

  test('is never replaced', () => {
    for (const value of [{ amountUsd: '1' }, { amountEur: '1' }]) {
      expect(fillFiatValues(transactionRecord(value), price, NOW)).toBe(NO_CHANGE);
    }
  });
});

describe('a sealed record whose wallet is confirmed', () => {
  const sealed = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({
      direction: 'INCOMING',
      status: 'DELIVERED',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      sealed: true,
      isDestinationConfirmed: false,
      destinationWalletId: 4,
      ...overrides,
    });

  test('opens for its tenant, which decides next and gets the webhook again', () => {
    expect(release(sealed(), 7, NOW)).toMatchObject({
      after: {
        status: 'DELIVERED',
        subStatus: 'ON_HOLD',
        sealed: false,
        isDestinationConfirmed: true,
        destinationWalletId: 7,
        updatedAt: NOW,
      },
      events: [{ type: 'RELEASED', data: { walletId: 7 } }],
      notify: true,
    });
  });

  test.each(['DECLINED', 'CANCELLED'] as const)('and that is %s stays so', (status) => {
    expect(release(sealed({ status, subStatus: null }), 7, NOW)?.after).toMatchObject({
      status,
      subStatus: null,
      sealed: false,
    });
  });

  test('is released once', () => {
    expect(release(sealed({ sealed: false }), 7, NOW)).toBeNull();
  });
});
