import fc from 'fast-check';
import { clearanceOf } from '../../../../domain/transactions/clearance.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { needsScreening } from '../../../../domain/transactions/screening-due.ts';
import { isFinal } from '../../../../domain/transactions/state.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { IS_FULL } from '../../../full.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import { commands, HASH, sendersCommands, type Command, type Side } from './commands.ts';
import { run, type Pair } from './pair.ts';

const SEED = 20_261_122;
const RUNS = IS_FULL ? 4_000 : 400;
const MAX_COMMANDS = 60;

/** With or without a hash, with a self-hosted wallet or a VASP, with or without the receiver's own record. */
const beginnings = fc
  .record({
    isHashed: fc.boolean(),
    isRecorded: fc.boolean(),
    isSelfHosted: fc.boolean(),
    isRuled: fc.boolean(),
  })
  .map(({ isHashed, isRecorded, isSelfHosted, isRuled }): Pair => {
    const hash = isHashed ? { transactionHash: HASH, hashNormal: HASH } : {};
    const destinationType = isSelfHosted ? 'NON_CUSTODIAL' : 'CUSTODIAL';
    return {
      outgoing: transactionRecord({ ...hash, destinationType, personal: { metadata: 'of outgoing' } }),
      incoming: isRecorded
        ? transactionRecord({
            ...hash,
            direction: 'INCOMING',
            messageSource: 'MANUAL',
            personal: { metadata: 'of incoming' },
          })
        : null,
      isPaired: false,
      isRuled,
      told: { outgoing: null, incoming: null },
      now: NOW,
    };
  });

/** What holds for one record from one command to the next. */
function expectSound(before: TransactionRecord | null, after: TransactionRecord): void {
  const { outcome } = clearanceOf(after);
  const isFree = after.hold === null && after.blockedBy === null && !needsScreening(after);
  expect(outcome === 'GO').toBe(after.status === 'CONFIRMED' && isFree);
  if (after.blockedBy !== null) expect(outcome).toBe('STOP');
  if (after.sealed) {
    expect(after.status).not.toBe('CONFIRMED');
    expect(viewTransaction(after, 'entity')).toMatchObject({ originator: null, beneficiary: null });
  }
  // A hold ends with the record that it stands on.
  if (after.status === 'DECLINED' || after.status === 'CANCELLED') expect(after.hold).toBeNull();
  if (before?.id !== after.id) return;
  if (isFinal(before.status)) expect(after.status).toBe(before.status);
  if (before.blockedBy === null) return;
  expect(after).toMatchObject({ blockedBy: before.blockedBy, blockedHold: before.blockedHold });
  expect(clearanceOf(after).nextAction).toBe('NONE');
}

/** What holds between the two sides of a message. */
function expectAgreement({ outgoing, incoming, isPaired }: Pair): void {
  if (!incoming || !isPaired) return;
  if (isFinal(outgoing.status) && isFinal(incoming.status)) expect(incoming.status).toBe(outgoing.status);
  // Notes and reviewers' reasons are marked with their side.
  expect(JSON.stringify(incoming)).not.toContain('of outgoing');
  expect(JSON.stringify(outgoing)).not.toContain('of incoming');
  if (outgoing.deletedAt || incoming.deletedAt) return;
  expect(isFinal(incoming.status)).toBe(isFinal(outgoing.status));
  if (!isFinal(outgoing.status)) return;
  if (incoming.blockedBy === null && outgoing.blockedBy === null) {
    expect(reasonsOf(incoming)).toEqual(reasonsOf(outgoing));
  }
  expectNeutral(incoming, outgoing);
  expectNeutral(outgoing, incoming);
}

/** The other side of a block learns its end, and of its reason nothing but what every block says. */
function expectNeutral(own: TransactionRecord, counterpart: TransactionRecord): void {
  if (own.blockedBy === null) return;
  if (own.status === 'CANCELLED') expect(reasonsOf(counterpart)).toEqual(['CANCELLED_BY_SENDER', null]);
  if (own.status === 'DECLINED') {
    const sentence = 'The beneficiary VASP does not accept this transfer.';
    expect(reasonsOf(counterpart)).toEqual(['COMPLIANCE', sentence]);
  }
}

function reasonsOf({ statusReasonCode, personal }: TransactionRecord): (string | null)[] {
  return [statusReasonCode, personal.statusReasoning];
}

/** Who must know whether the coins may move was told it last. */
function expectTold(pair: Pair, side: Side): void {
  const record = pair[side];
  if (!record || record.deletedAt || pair.told[side] === null) return;
  expect([side, pair.told[side]]).toEqual([side, clearanceOf(record).outcome]);
}

let count = 0;
const ends = new Set<string>();

function runAll(beginning: Pair, all: readonly Command[]): Pair {
  let pair = beginning;
  for (const next of all) {
    const before = pair;
    pair = run(before, next);
    count += 1;
    expectSound(before.outgoing, pair.outgoing);
    if (pair.incoming) expectSound(before.incoming, pair.incoming);
    expectAgreement(pair);
    expectTold(pair, 'outgoing');
    expectTold(pair, 'incoming');
  }
  return pair;
}

test(`whatever happens in whatever order, every rule of the state machine holds (seed ${SEED})`, () => {
  fc.assert(
    fc.property(beginnings, commands({ min: 20, max: MAX_COMMANDS }), (beginning, all) => {
      const { outgoing, incoming, isPaired } = runAll(beginning, all);
      const end = `${outgoing.status} ${isPaired ? incoming?.status : 'alone'}`;
      ends.add(end);
      for (const record of [outgoing, incoming]) if (record?.blockedBy) ends.add(`${record.status} blocked`);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(count).toBeGreaterThan(IS_FULL ? 100_000 : 10_000);
  // Nothing of this would be worth much if the random commands led nowhere.
  expect([...ends]).toEqual(
    expect.arrayContaining([
      'CONFIRMED CONFIRMED',
      'DECLINED DECLINED',
      'CANCELLED CANCELLED',
      'DELIVERED DELIVERED',
      'CONFIRMED alone',
      'CANCELLED alone',
      'FAILED alone',
      'CONFIRMED blocked',
      'DECLINED blocked',
      'CANCELLED blocked',
    ]),
  );
});

test('what the originator VASP says of the originator is what the beneficiary VASP has, as long as it writes nothing itself', () => {
  fc.assert(
    fc.property(beginnings, sendersCommands, (beginning, all) => {
      const { outgoing, incoming, isPaired } = all.reduce(run, beginning);
      if (!isPaired || !incoming || outgoing.deletedAt || incoming.deletedAt) return;
      expect(incoming.personal.originator).toEqual(outgoing.personal.originator);
      expect(incoming.hashNormal).toBe(outgoing.hashNormal);
      expect(incoming.blockchainKey).toBe(outgoing.blockchainKey);
    }),
    { numRuns: 500, seed: SEED },
  );
});
