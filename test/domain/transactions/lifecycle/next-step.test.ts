import { deliveryRetryMs } from '../../../../domain/transactions/deadlines.ts';
import { planOf, type LifecyclePlan } from '../../../../domain/transactions/lifecycle/next-step.ts';
import { STATUSES } from '../../../../domain/transactions/state.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import { HOUR_MS } from '../../../../domain/durations.ts';

type Overrides = Parameters<typeof transactionRecord>[0];

const at = (ms: number) => new Date(NOW.getTime() + ms);
const plan = (overrides: Overrides): LifecyclePlan =>
  planOf(transactionRecord({ deadlineAt: at(HOUR_MS), ...overrides }), NOW);

const DEPOSIT: Overrides = {
  direction: 'INCOMING',
  originType: 'NON_CUSTODIAL',
  messageSource: 'MANUAL',
  awaitsProof: true,
  wakeAt: NOW,
  deadlineAt: null,
};

describe('the next step', () => {
  test.each<[string, Overrides, LifecyclePlan['step']]>([
    ['a new message', { wakeAt: NOW }, 'ROUTE'],
    ['a new message that nobody put a time on', { wakeAt: null }, 'ROUTE'],
    ['a new self-hosted transfer', { wakeAt: NOW, destinationType: 'NON_CUSTODIAL' }, 'CONFIRM_SELF_HOSTED'],
    ['an unrouted one whose day has passed', { routingFault: 'VASP_NOT_FOUND', wakeAt: at(-1) }, 'ROUTE'],
    ['an unrouted one that was woken', { routingFault: 'VASP_NOT_FOUND', wakeAt: NOW }, 'ROUTE'],
    ['an unrouted one', { routingFault: 'VASP_NOT_FOUND', wakeAt: at(1) }, 'WAIT'],
    ['an unreachable one whose retry is due', { routingFault: 'VASP_NOT_REACHABLE', wakeAt: NOW }, 'ROUTE'],
    ['an unreachable one', { routingFault: 'VASP_NOT_REACHABLE', wakeAt: at(1) }, 'WAIT'],
    [
      'an unproven self-hosted transfer',
      {
        awaitsProof: true,
        destinationType: 'NON_CUSTODIAL',
        wakeAt: null,
        deadlineAt: null,
      },
      'WAIT',
    ],
    [
      'an unproven self-hosted transfer that was woken',
      { awaitsProof: true, destinationType: 'NON_CUSTODIAL', wakeAt: NOW, deadlineAt: null },
      'CONFIRM_SELF_HOSTED',
    ],
    ['a deposit from a self-hosted wallet', DEPOSIT, 'CONFIRM_SELF_HOSTED'],
    ['a deposit that waits for its owner', { ...DEPOSIT, wakeAt: null }, 'WAIT'],
    ['a deposit that its tenant has decided', { ...DEPOSIT, status: 'DECLINED' }, 'DONE'],
    [
      'a deposit that a VASP has answered for',
      { ...DEPOSIT, status: 'DELIVERED', messageSource: 'NATIVE' },
      'DONE',
    ],
    ['a pending one whose time is over', { wakeAt: NOW, deadlineAt: NOW }, 'EXPIRE'],
    ['a delivered one', { status: 'DELIVERED', wakeAt: at(HOUR_MS) }, 'WAIT'],
    ['a delivered one whose time is over', { status: 'DELIVERED', deadlineAt: at(-1) }, 'EXPIRE'],
    ['a delivered one that expired', { status: 'DELIVERED', expiredAt: NOW, deadlineAt: null }, 'DONE'],
    ['a failed one', { status: 'FAILED', wakeAt: null }, 'DONE'],
    ['a deleted one', { wakeAt: NOW, deletedAt: NOW }, 'DONE'],
    ['a deleted one whose time is over', { deadlineAt: at(-1), deletedAt: NOW }, 'DONE'],
    ...STATUSES.filter((status) => status !== 'PENDING' && status !== 'DELIVERED').map(
      (status): [string, Overrides, LifecyclePlan['step']] => [
        `one that is ${status}, whatever its times say`,
        { status, wakeAt: NOW, deadlineAt: at(-1) },
        'DONE',
      ],
    ),
    ...STATUSES.map((status): [string, Overrides, LifecyclePlan['step']] => [
      `an incoming one that is ${status}`,
      { direction: 'INCOMING', status, wakeAt: null },
      'DONE',
    ]),
  ])('of %s', (_, overrides, step) => {
    expect(plan(overrides)).toMatchObject({ step, status: overrides?.status ?? 'PENDING' });
  });
});

describe('a wait', () => {
  test.each<[Overrides, string]>([
    [{ status: 'DELIVERED' }, 'COUNTERPARTY_ANSWER'],
    [{ routingFault: 'VASP_NOT_FOUND' }, 'ROUTE'],
    [{ routingFault: 'VASP_NOT_REACHABLE' }, 'DELIVERY_RETRY'],
    [{ awaitsProof: true }, 'OWNERSHIP_PROOF'],
  ])('of %j is for %s', (overrides, waitingFor) => {
    expect(plan({ wakeAt: at(1), ...overrides })).toMatchObject({ step: 'WAIT', waitingFor });
  });

  test.each([
    [at(5), at(9), 5],
    [at(9), at(5), 5],
    [null, at(9), 9],
  ])('until %j with deadline %j ends at the earlier of both', (wakeAt, deadlineAt, untilMs) => {
    expect(plan({ status: 'DELIVERED', wakeAt, deadlineAt })).toMatchObject({
      untilMs: NOW.getTime() + untilMs,
      deadlineMs: deadlineAt.getTime(),
    });
  });
});

test.each([
  [null, null],
  [at(7), NOW.getTime() + 7],
])('a wait for an owner that is looked at again at %j has no deadline', (wakeAt, untilMs) => {
  const waiting = { awaitsProof: true, wakeAt, deadlineAt: null } as const;
  expect(plan(waiting)).toMatchObject({ waitingFor: 'OWNERSHIP_PROOF', untilMs, deadlineMs: null });
});

test('a delivery is tried again after a minute, then twice as long each time, at most an hour', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 7, 8, 100, 5_000].map((attempts) => deliveryRetryMs(attempts) / 60_000);
  expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
  expect(deliveryRetryMs(0)).toBe(60_000);
});
