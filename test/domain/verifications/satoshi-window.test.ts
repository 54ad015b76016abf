import { armedFrom, satoshiDeadline } from '../../../domain/verifications/satoshi-window.ts';

const createdAt = new Date('2026-11-21T12:00:00Z');
const after = (hours: number) => new Date(createdAt.getTime() + hours * 3_600_000);

test.each([
  [1, 1],
  [48, 48],
  [100, 48],
])('a verification of %d hours gives a transfer %d hours', (hours, expected) => {
  expect(satoshiDeadline({ createdAt, expiresAt: after(hours) })).toEqual(after(expected));
});

test("a Bitcoin block's time may be two hours behind, Ethereum's a minute", () => {
  expect(armedFrom({ kind: 'BITCOIN' }, createdAt)).toEqual(after(-2));
  expect(armedFrom({ kind: 'EVM' }, createdAt)).toEqual(after(-1 / 60));
});
