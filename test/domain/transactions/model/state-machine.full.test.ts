import fc from 'fast-check';
import { clearanceOf, outcomeOf } from '../../../../domain/transactions/clearance.ts';
import { isCompleted } from '../../../../domain/transactions/exchanging/complete-own-record.ts';
import { isRepairOpen, openRepair } from '../../../../domain/transactions/repair.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { needsScreening } from '../../../../domain/transactions/screening-due.ts';
import { isFinal } from '../../../../domain/transactions/state.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { NOW, transactionRecord } from '../../../factories/transaction-record.ts';
import {
  commands,
  HASH,
  sealedCommands,
  SENDER,
  sendersCommands,
  SIDES,
  type Command,
  type Side,
} from './commands.ts';
import { run, type Pair } from './pair.ts';

const SEED = 20_261_122;
const RUNS = 4_000;
const MAX_COMMANDS = 60;

/** With or without a hash, with a self-hosted wallet or a VASP, with or without the receiver's own record. */
const beginnings = fc
  .record({
    isHashed: fc.boolean(),
    recorded: fc.constantFrom('NOT', 'WITHOUT_SENDER', 'WITH_SENDER'),
    isSelfHosted: fc.boolean(),
  })
  .map(({ isHashed, recorded, isSelfHosted }): Pair => {
    const hash = isHashed ? { transactionHash: HASH, hashNormal: HASH } : {};
    const destinationType = isSelfHosted ? 'NON_CUSTODIAL' : 'CUSTODIAL';
    return {
      outgoing: transactionRecord({ ...hash, destinationType, personal: { metadata: 'of outgoing' } }),
      incoming:
        recorded !== 'NOT'
          ? transactionRecord({
              ...hash,
              direction: 'INCOMING',
              messageSource: 'MANUAL',
              personal: {
                metadata: 'of incoming',
                vaspInfo: { originatorVaspName: recorded === 'WITH_SENDER' ? SENDER : null },
              },
            })
          : null,
      own: null,
      isPaired: false,
      told: { outgoing: null, incoming: null, own: null },
      webhooks: [],
      log: [],
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
  if (['DECLINED', 'CANCELLED', 'FAILED'].includes(after.status)) expect(after.hold).toBeNull();
  if (before?.id !== after.id) return;
  if (isFinal(before.status)) expect(after.status).toBe(before.status);
  if (before.blockedBy === null) return;
  expect(after).toMatchObject({ blockedBy: before.blockedBy, blockedHold: before.blockedHold });
  expect(clearanceOf(after).nextAction).toBe('NONE');
}

/** What holds between the two sides of a message. */
function expectAgreement({ outgoing, incoming, isPaired }: Pair): void {
  if (!incoming || !isPaired) return;
  // What its tenant had confirmed before the message came, and a reviewer then stopped, is declined for the sender.
  const isStopped = isCompleted(incoming) && incoming.status === 'CONFIRMED' && incoming.blockedBy !== null;
  // Who deletes a record that it had confirmed before the message came, and that still owes the answer, never gives it.
  const isUnanswered = outgoing.status === 'CANCELLED' && incoming.deletedAt !== null && owesAnswer(incoming);
  if (isFinal(outgoing.status) && isFinal(incoming.status) && !isUnanswered)
    expect(outgoing.status).toBe(isStopped ? 'DECLINED' : incoming.status);
  // Notes and reviewers' reasons are marked with their side.
  expect(JSON.stringify(incoming)).not.toContain('of outgoing');
  expect(JSON.stringify(outgoing)).not.toContain('of incoming');
  if (outgoing.deletedAt || incoming.deletedAt) {
    expect([outgoing, incoming].filter((record) => !record.deletedAt && isRepairOpen(record))).toEqual([]);
    return;
  }
  expect(openRepair(incoming)).toEqual(openRepair(outgoing));
  if (!isFinal(outgoing.status) && owesAnswer(incoming) && outcomeOf(incoming) === 'WAIT') return;
  expect(isFinal(incoming.status)).toBe(isFinal(outgoing.status));
  if (!isFinal(outgoing.status)) return;
  if (incoming.blockedBy === null && outgoing.blockedBy === null) {
    const [code, text] = reasonsOf(incoming);
    // What the receiver wrote before the message came stays with it.
    const texts = isCompleted(incoming) ? [text, null] : [text];
    expect(outgoing.statusReasonCode).toBe(code);
    expect(texts).toContain(outgoing.personal.statusReasoning);
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

/**
 * What has arrived or was released is announced once: with its verdict, or without it after 30 seconds. Until then
 * nothing is sent, and the time at which its workflow reads it again is not later than that.
 */
function expectAnnounced(before: Pair, { incoming, webhooks, now }: Pair): void {
  if (!incoming) return;
  const { announceAt, wakeAt } = incoming;
  const sent = webhooks.length - before.webhooks.length;
  expect(sent).toBeLessThanOrEqual(1);
  if (announceAt !== null) {
    expect([needsScreening(incoming), incoming.ruleWaitUntil, isFinal(incoming.status)]).toEqual([
      true,
      null,
      false,
    ]);
    expect(sent).toBe(0);
    expect(wakeAt?.getTime()).toBeLessThanOrEqual(Math.max(announceAt.getTime(), now.getTime()));
  } else if (incoming.deletedAt === null && isToAnnounce(before.incoming, incoming)) {
    expect(sent).toBe(1);
  }
}

/** Whether the record was unannounced before, or has just arrived. */
function isToAnnounce(before: TransactionRecord | null, { messageSource }: TransactionRecord): boolean {
  return before?.messageSource !== messageSource || before.announceAt !== null;
}

let count = 0;
const ends = new Set<string>();

/** What has become of the receiver's own record in one step. */
function storiesOf(before: Pair, after: Pair): string[] {
  const own = after.own ?? after.incoming;
  const stories = {
    completed: after.incoming !== null && isCompleted(after.incoming),
    'taken back': own?.personal.received?.takenBackAt != null,
    related: after.own?.relatedTransactionId != null,
    'filled later': after.own?.personal.received !== undefined,
    'decided as its message':
      isFinal(after.own?.status ?? 'PENDING') &&
      !isFinal(before.own?.status ?? 'CONFIRMED') &&
      before.outgoing === after.outgoing,
    'answered later':
      owesAnswer(before.incoming) && isFinal(after.outgoing.status) && !isFinal(before.outgoing.status),
  };
  return Object.entries(stories).flatMap(([story, is]) => (is ? [story] : []));
}

function owesAnswer(incoming: TransactionRecord | null): boolean {
  return incoming !== null && isCompleted(incoming) && incoming.status === 'CONFIRMED';
}

function runAll(beginning: Pair, all: readonly Command[]): Pair {
  let pair = beginning;
  for (const next of all) {
    const before = pair;
    pair = run(before, next);
    count += 1;
    expectSound(before.outgoing, pair.outgoing);
    if (pair.incoming) expectSound(before.incoming, pair.incoming);
    for (const story of storiesOf(before, pair)) ends.add(story);
    // The own record gets a place of its own when the message has another one.
    const ownBefore = before.own ?? before.incoming;
    if (pair.own) expectSound(ownBefore?.id === pair.own.id ? ownBefore : null, pair.own);
    expectAgreement(pair);
    for (const side of SIDES) expectTold(pair, side);
    expectAnnounced(before, pair);
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
  expect(count).toBeGreaterThan(100_000);
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
      'completed',
      'taken back',
      'related',
      'filled later',
      'decided as its message',
      'answered later',
    ]),
  );
});

/** The same in another world: its people have other names, and one of them is on a list. */
const OTHERS: Record<string, string> = {
  Ada: 'Barnabas Ravenscroft',
  'Ada King': 'Olga Listed',
  GB: 'KP',
  desk: 'vault',
};

function elsewhere<T>(value: T): T {
  const text = JSON.stringify(value, (key, member: unknown) =>
    ['name', 'country', 'beneficiaryVaspExtraInfo'].includes(key) && typeof member === 'string'
      ? (OTHERS[member] ?? `not ${member}`)
      : member,
  );
  return JSON.parse(text) as T;
}

test('two worlds that differ in hidden data alone show its receiver the same', () => {
  let count = 0;
  fc.assert(
    fc.property(beginnings, sealedCommands, (beginning, all) => {
      const { personal } = beginning.outgoing;
      const others = { ...beginning.outgoing, personal: elsewhere(personal) };
      let [one, other] = [beginning, { ...beginning, outgoing: others }];
      for (const command of all) {
        // What the lists say of names is not the same in both.
        const isElse = command.kind === 'SCREEN' && command.side === 'incoming';
        one = run(one, command);
        other = run(other, isElse ? { ...command, outcome: 'MATCH' } : elsewhere(command));
        if (!one.incoming?.sealed) continue;
        count += 1;
        expect(other.incoming && { ...other.incoming, personal: null }).toEqual({
          ...one.incoming,
          personal: null,
        });
        expect([other.webhooks, other.log]).toEqual([one.webhooks, one.log]);
      }
    }),
    { numRuns: 5_000, seed: SEED },
  );
  expect(count).toBeGreaterThan(1_000);
});

test('what the originator VASP says of the originator is what the beneficiary VASP has, as long as it writes nothing itself', () => {
  fc.assert(
    fc.property(beginnings, sendersCommands, (beginning, all) => {
      const { outgoing, incoming, isPaired } = all.reduce(run, beginning);
      if (!isPaired || !incoming || outgoing.deletedAt || incoming.deletedAt) return;
      const { received } = incoming.personal;
      const version = received
        ? { originator: received.originator, ...received.blockchainInfo }
        : { originator: incoming.personal.originator, ...incoming };
      expect(version.originator).toEqual(outgoing.personal.originator);
      expect(version.transactionHash).toBe(outgoing.transactionHash);
      expect(version.blockchain).toBe(outgoing.blockchain);
    }),
    { numRuns: 500, seed: SEED },
  );
});
