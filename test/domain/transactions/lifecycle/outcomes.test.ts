import { SYSTEM } from '../../../../domain/events/actor.ts';
import { NO_CHANGE, type PairChange } from '../../../../domain/transactions/change.ts';
import { fillFiatValues } from '../../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { planOf } from '../../../../domain/transactions/lifecycle/next-step.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { STATUSES, type SubStatus } from '../../../../domain/transactions/state.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/durations.ts';
import {
  markUnreachable,
  markUnrouted,
  nextRouting,
} from '../../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { pause } from '../../../../domain/transactions/lifecycle/pause.ts';
import { expire } from '../../../../domain/transactions/lifecycle/expire.ts';

const later = (ms: number, from = NOW) => new Date(from.getTime() + ms);

/** The record after the change; fails where nothing changed. */
function afterOf({ own }: PairChange): TransactionRecord {
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
    expect(shownChange(own)).toMatchObject({
      after: { status: 'PENDING', subStatus: 'VASP_NOT_FOUND', wakeAt: later(DAY_MS), updatedAt: NOW },
      events: [{ type: 'VASP_NOT_FOUND', actor: SYSTEM, previousStatus: 'PENDING', newStatus: 'PENDING' }],
      notify: true,
      wakesWorkflow: false,
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
  test('is not given up while a brake holds the message back', () => {
    const tried = afterOf(markUnreachable(transactionRecord(), NOW));
    const paused = afterOf(pause(tried, 'a brake', later(HOUR_MS)));
    expect(planOf(paused, later(4 * DAY_MS)).step).toBe('CHECK_BRAKE');
    expect(planOf(paused, later(90 * DAY_MS)).step).toBe('EXPIRE');
    expect(paused).toMatchObject({ deliveryAttempts: 0, deliveryStartedAt: null });
    expect(shown(afterOf(expire(paused, later(90 * DAY_MS))))).toMatchObject({ subStatus: 'EXPIRED' });
    // However often it is paused, and however late it was first tried, it ends 90 days after its creation.
    const lateTry = afterOf(markUnreachable(paused, later(80 * DAY_MS)));
    const again = afterOf(pause({ ...lateTry, pausedBy: null }, 'another brake', later(81 * DAY_MS)));
    expect(again.deadlineAt).toEqual(later(90 * DAY_MS));
    // One that was over before stays so.
    expect(planOf(afterOf(pause(tried, 'a brake', later(3 * DAY_MS))), later(3 * DAY_MS)).step).toBe(
      'EXPIRE',
    );
  });

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
    expect(shown(record)).toMatchObject({
      status: 'PENDING',
      subStatus: 'VASP_NOT_REACHABLE',
      deliveryAttempts: delays.length,
      deliveryStartedAt: NOW,
      deadlineAt: later(72 * HOUR_MS),
    });
    expect(shown(afterOf(expire(record, now)))).toMatchObject({
      status: 'FAILED',
      subStatus: 'VASP_NOT_REACHABLE',
    });
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
    [{ status: 'PENDING', routingFault: 'VASP_NOT_FOUND' }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING' }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING', awaitsProof: true }, 'FAILED', 'EXPIRED', 'EXPIRED'],
    [{ status: 'PENDING', routingFault: 'VASP_NOT_REACHABLE' }, 'FAILED', 'VASP_NOT_REACHABLE', 'EXPIRED'],
    [{ status: 'DELIVERED' }, 'DELIVERED', 'EXPIRED', null],
  ])(
    'makes of %j %s/%s with reason %j, and nothing is waited for any more',
    (overrides, status, subStatus, code) => {
      const record = waiting(overrides);
      const { own } = expire(record, NOW);
      expect(shownChange(own)).toMatchObject({
        after: {
          status,
          subStatus,
          statusReasonCode: code,
          expiredAt: NOW,
          deadlineAt: null,
          wakeAt: null,
          updatedAt: NOW,
        },
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
        wakesWorkflow: false,
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

describe('a fiat value that was unknown', () => {
  const price = { usd: '4000', eur: '3600', source: 'prices.example', pricedAt: NOW };

  test('is filled in with source and time in the log, and without a webhook', () => {
    const { own } = fillFiatValues(
      transactionRecord({ amount: '2', status: 'DELIVERED' }),
      price,
      later(HOUR_MS),
    );
    expect(own).toMatchObject({
      after: { amountUsd: '8000', amountEur: '7200', updatedAt: later(HOUR_MS) },
      events: [
        {
          type: 'FIAT_VALUED',
          data: { priceSource: 'prices.example', pricedAt: NOW.toISOString() },
        },
      ],
      notify: false,
      wakesWorkflow: false,
    });
  });

  test('lets the rules decide again on what is not sent, and on what one of them lets wait', () => {
    const now = later(HOUR_MS);
    const due = { screeningState: 'DUE', screeningDueSince: now, wakeAt: now } as const;
    const cleared = transactionRecord({ amount: '2', screeningState: 'CLEARED' });
    expect(fillFiatValues(cleared, price, now).own).toMatchObject({ after: due, wakesWorkflow: true });
    const until = later(2 * HOUR_MS);
    const waiting = transactionRecord({
      direction: 'INCOMING',
      amount: '2',
      screeningState: 'DUE',
      ruleWaitUntil: until,
      wakeAt: until,
    });
    expect(fillFiatValues(waiting, price, now).own).toMatchObject({
      after: { ...due, ruleWaitUntil: until },
      wakesWorkflow: true,
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
