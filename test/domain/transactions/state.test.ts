import {
  allowedStatuses,
  isFinal,
  mayMove,
  STATUSES,
  type Status,
} from '../../../domain/transactions/state.ts';
import { DIRECTIONS, type Direction } from '../../../domain/direction.ts';

const moves: [Direction, Status, Status[]][] = [
  ['OUTGOING', 'PENDING', ['DELIVERED', 'CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED']],
  ['OUTGOING', 'DELIVERED', ['CONFIRMED', 'DECLINED', 'FAILED', 'CANCELLED']],
  ['OUTGOING', 'FAILED', ['PENDING']],
  ['OUTGOING', 'CONFIRMED', []],
  ['OUTGOING', 'DECLINED', []],
  ['OUTGOING', 'CANCELLED', []],
  ['INCOMING', 'PENDING', ['DELIVERED', 'CONFIRMED', 'DECLINED', 'CANCELLED']],
  ['INCOMING', 'DELIVERED', ['PENDING', 'CONFIRMED', 'DECLINED', 'CANCELLED']],
  ['INCOMING', 'FAILED', []],
  ['INCOMING', 'CONFIRMED', []],
  ['INCOMING', 'DECLINED', []],
  ['INCOMING', 'CANCELLED', []],
];

test('the table has every direction and status', () => {
  expect(moves).toHaveLength(DIRECTIONS.length * STATUSES.length);
});

test.each(moves)('%s and %s moves to exactly %j', (direction, from, open) => {
  expect(STATUSES.filter((to) => mayMove(direction, from, to))).toEqual(open);
});

test.each<[Direction, Status, boolean, Status[]]>([
  ['OUTGOING', 'PENDING', false, ['CANCELLED']],
  ['OUTGOING', 'DELIVERED', false, ['CANCELLED']],
  ['OUTGOING', 'FAILED', false, []],
  ['OUTGOING', 'CONFIRMED', false, []],
  ['OUTGOING', 'DECLINED', false, []],
  ['OUTGOING', 'CANCELLED', false, []],
  ['INCOMING', 'PENDING', false, ['CONFIRMED', 'DECLINED']],
  ['INCOMING', 'DELIVERED', false, ['CONFIRMED', 'DECLINED']],
  ['INCOMING', 'DELIVERED', true, ['DECLINED']],
  ['INCOMING', 'FAILED', false, []],
  ['INCOMING', 'CONFIRMED', false, []],
  ['INCOMING', 'DECLINED', false, []],
  ['INCOMING', 'DECLINED', true, []],
  ['INCOMING', 'CANCELLED', true, []],
])('the tenant of an %s record that is %s (sealed: %j) may set %j', (direction, status, sealed, allowed) => {
  expect(allowedStatuses({ direction, status, sealed, awaitsWallet: false })).toEqual(allowed);
  expect(allowedStatuses({ direction, status, sealed: false, awaitsWallet: sealed })).toEqual(allowed);
});

test('what ends a transaction is what nothing follows, and FAILED is not among it', () => {
  expect(STATUSES.filter(isFinal)).toEqual(['CONFIRMED', 'DECLINED', 'CANCELLED']);
});
