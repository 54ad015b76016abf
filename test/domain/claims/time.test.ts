import { planOfClaim } from '../../../domain/claims/time.ts';
import { CLAIM_STATUSES, allowedClaimStatuses, mayClaimMove } from '../../../domain/claims/state.ts';

const now = new Date('2026-11-23T12:00:00Z');
const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const claim = {
  direction: 'INCOMING',
  status: 'DELIVERED',
  wakeAt: at(1),
  remindAt: at(1),
  deadlineAt: at(2),
  lookedForTransfer: true,
} as const;

test.each([
  [
    'a delivered one waits for its reminder',
    {},
    { step: 'WAIT', waitingFor: 'DECISION', untilMs: at(1).getTime() },
  ],
  ['then for its deadline', { remindAt: null }, { step: 'WAIT', untilMs: at(2).getTime() }],
  ['is reminded when that is due', { remindAt: at(-1) }, { step: 'REMIND' }],
  [
    'is compared with what the tenant holds first',
    { lookedForTransfer: false, remindAt: at(-1) },
    { step: 'LOOK_FOR_TRANSFER' },
  ],
  [
    'ends at its deadline, whatever else is due',
    { deadlineAt: now, lookedForTransfer: false },
    { step: 'EXPIRE' },
  ],
  [
    'the asking side waits for the answer',
    { direction: 'OUTGOING', remindAt: null },
    { waitingFor: 'COUNTERPARTY_ANSWER' },
  ],
  [
    'a pending one is delivered',
    { direction: 'OUTGOING', status: 'PENDING', wakeAt: now },
    { step: 'DELIVER' },
  ],
  [
    'or waits for the next attempt',
    { direction: 'OUTGOING', status: 'PENDING' },
    { step: 'WAIT', waitingFor: 'DELIVERY' },
  ],
  ['a declined one waits for nothing', { status: 'DECLINED', deadlineAt: now }, { step: 'DONE' }],
] as const)('%s', (_what, fields, plan) => {
  expect(planOfClaim({ ...claim, ...fields }, now)).toMatchObject(plan);
});

test('what has ended does not move, and each side sets one status', () => {
  for (const direction of ['OUTGOING', 'INCOMING'] as const)
    for (const status of CLAIM_STATUSES) {
      const isOpen = status === 'DELIVERED' || (status === 'PENDING' && direction === 'OUTGOING');
      const settable = direction === 'OUTGOING' ? 'CANCELLED' : 'DECLINED';
      expect(allowedClaimStatuses({ direction, status })).toEqual(isOpen ? [settable] : []);
      if (!isOpen) expect(CLAIM_STATUSES.filter((to) => mayClaimMove(direction, status, to))).toEqual([]);
    }
});
