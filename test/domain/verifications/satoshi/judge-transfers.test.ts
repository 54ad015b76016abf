import type { TransferEvidence, ChainTransfer } from '../../../../domain/chain-scan/block.ts';
import {
  judgeTransfers,
  type SatoshiCandidate,
  type SatoshiWatch,
} from '../../../../domain/verifications/satoshi/judge-transfers.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

const watch = (more: Partial<SatoshiWatch> = {}): SatoshiWatch => ({
  verificationId: 'v1',
  tenantId: 't1',
  asset: 'native',
  sender: 'wallet',
  recipient: 'deposit',
  units: 100n,
  armedFrom: at(-60),
  deadline: at(60),
  aboveHeight: -1,
  ...more,
});
const transfer = (more: Partial<ChainTransfer> = {}): ChainTransfer => ({
  transaction: 0,
  position: -1,
  asset: 'native',
  sender: 'wallet',
  recipient: 'deposit',
  units: 100n,
  ...more,
});
const evidence = (more: Partial<TransferEvidence> = {}): TransferEvidence => ({
  senders: ['wallet'],
  signer: 'wallet',
  position: -1,
  ...more,
});
const candidate = (
  watches: SatoshiWatch[],
  own: { transfer?: Partial<ChainTransfer>; evidence?: Partial<TransferEvidence> } = {},
): SatoshiCandidate => ({ transfer: transfer(own.transfer), evidence: evidence(own.evidence), watches });
const verdicts = (...candidates: SatoshiCandidate[]) =>
  judgeTransfers(candidates, { height: 100, time: NOW }).map(({ verificationId, transaction, verdict }) => [
    verificationId,
    transaction,
    verdict,
  ]);

test.each<[string, Partial<ChainTransfer>, Partial<TransferEvidence>, string[]]>([
  ['the exact transfer', {}, {}, ['PROVEN']],
  ['more than the amount', { units: 101n }, {}, ['WRONG_AMOUNT']],
  ['another asset', { asset: 'token' }, {}, ['WRONG_ASSET']],
  ['another asset and amount', { asset: 'token', units: 1n }, {}, ['WRONG_ASSET']],
  ['another sender', {}, { senders: ['stranger'] }, ['WRONG_SENDER']],
  ['another sender and amount', { units: 99n }, { senders: ['stranger'] }, []],
  ['another recipient', { recipient: 'elsewhere' }, {}, []],
  ['one sender of several', {}, { senders: ['stranger', 'wallet'], signer: null }, ['MIXED_INPUTS']],
  ['a part of another amount', { units: 7n }, { senders: ['stranger', 'wallet'] }, ['WRONG_AMOUNT']],
  ['a transaction that failed', {}, { senders: [] }, []],
  ['a failed one of another amount', { units: 7n }, { senders: [] }, []],
  ['coins, whoever paid for the transaction', {}, { signer: 'relay' }, ['PROVEN']],
])('%s', (_, moved, found, expected) => {
  expect(
    verdicts(candidate([watch()], { transfer: moved, evidence: found })).map(([, , word]) => word),
  ).toEqual(expected);
});

test('a token counts when the address itself has sent the transaction; else a spender may have moved it', () => {
  const token = { transfer: { asset: 'token' } };
  const waits = [watch({ asset: 'token' })];
  expect(verdicts(candidate(waits, token))).toEqual([['v1', 0, 'PROVEN']]);
  expect(verdicts(candidate(waits, { ...token, evidence: { signer: 'spender' } }))).toEqual([
    ['v1', 0, 'SPENDER_TRANSFER'],
  ]);
});

test.each([
  [{ armedFrom: at(1) }, 0],
  [{ armedFrom: at(0) }, 1],
  [{ deadline: at(0) }, 1],
  [{ deadline: at(-1) }, 0],
])("the block's own time decides: a watch with %j has %d verdicts", (window, count) => {
  expect(verdicts(candidate([watch(window)]))).toHaveLength(count);
});

test.each([
  [-1, 1],
  [99, 1],
  [100, 0],
  [Number.POSITIVE_INFINITY, 0],
])('a watch above height %d has %d verdicts in block 100', (aboveHeight, count) => {
  expect(verdicts(candidate([watch({ aboveHeight })]))).toHaveLength(count);
});

test('one transfer goes to one verification of each tenant', () => {
  const waits = [
    watch({ verificationId: 'theirs', tenantId: 't2', armedFrom: at(-30) }),
    watch({ verificationId: 'theirs too', tenantId: 't2', armedFrom: at(-20) }),
    watch({ verificationId: 'ours', armedFrom: at(-1) }),
  ];
  expect(verdicts(candidate(waits))).toEqual([
    ['theirs', 0, 'PROVEN'],
    ['ours', 0, 'PROVEN'],
  ]);
});

test('one transfer goes to one verification, the oldest; two transfers to two', () => {
  const waits = [
    watch({ verificationId: 'young', armedFrom: at(-1) }),
    watch({ verificationId: 'old', armedFrom: at(-9) }),
  ];
  expect(verdicts(candidate(waits))).toEqual([['old', 0, 'PROVEN']]);
  expect(verdicts(candidate(waits), candidate(waits, { transfer: { transaction: 1 } }))).toEqual([
    ['old', 0, 'PROVEN'],
    ['young', 1, 'PROVEN'],
  ]);
});

test('full proof goes before partial, and what is claimed is no near miss of anything else', () => {
  const mixed = candidate([watch()], { evidence: { senders: ['wallet', 'other'] } });
  const whole = candidate([watch()], { transfer: { transaction: 1 } });
  expect(verdicts(mixed, whole)).toEqual([['v1', 1, 'PROVEN']]);
  const two = candidate([watch(), watch({ verificationId: 'v2', units: 5n })]);
  expect(verdicts(two)).toEqual([['v1', 0, 'PROVEN']]);
  const missed = candidate([watch()], { transfer: { transaction: 2, units: 3n } });
  expect(verdicts(whole, missed)).toEqual([['v1', 1, 'PROVEN']]);
});
