import fc from 'fast-check';
import { STATUSES } from '../../../../domain/transactions/state.ts';
import { OUTCOMES, type Outcome } from './verdicts.ts';

/** `own`: the receiver's own record, once a message for the same transfer has a record beside it. */
export type Side = 'outgoing' | 'incoming' | 'own';
export const SIDES: readonly Side[] = ['outgoing', 'incoming', 'own'];

/** What can happen to a transfer, on either side. */
export type Command =
  | { kind: 'PATCH'; side: Side; body: Record<string, unknown> }
  | { kind: 'REVIEW'; side: Side; decision: 'PROCEED' | 'BLOCK' }
  | { kind: 'SCREEN'; side: Side; outcome: Outcome }
  | { kind: 'DELAY'; side: Side; maxWaitMinutes: number }
  | { kind: 'EXPIRE'; side: Side; days: number }
  | { kind: 'PROVE'; side: Side; isEnough: boolean }
  | {
      kind:
        'DELETE' | 'FIRE_TIMER' | 'REPAIR' | 'END_REPAIR' | 'RETRY' | 'PRICE' | 'UNROUTED' | 'UNREACHABLE';
      side: Side;
    }
  /** So much later, the worker reads the record again. */
  | { kind: 'ANNOUNCE'; side: Side; seconds: number }
  | { kind: 'RESCREEN'; side: Side }
  /** `outcome`: the receiver's verdict on arrival; null where it has to wait for a list or a provider. */
  | { kind: 'DELIVER'; isOwned: boolean; outcome: Outcome | null }
  /** `outcome`: the verdict at the release of a sealed record; null where it has to wait. */
  | { kind: 'CONFIRM_WALLET'; outcome: Outcome | null };

export const HASH = 'ab'.repeat(32);
/** The name of the originator VASP. */
export const SENDER = 'Alpine Exchange';

const data = fc.oneof(
  fc.record({ originator: fc.constantFrom({ name: 'Ada' }, { name: 'Ada King' }, { country: 'GB' }, null) }),
  fc.record({ transactionHash: fc.constantFrom(null, HASH, 'cd'.repeat(32)) }),
  fc.record({
    vaspInfo: fc.constantFrom(
      { beneficiaryVaspName: 'Harbour' },
      { beneficiaryVaspExtraInfo: 'desk' },
      { originatorVaspName: SENDER },
      { originatorVaspName: 'Somebody Else' },
    ),
  }),
  fc.record({
    statusReasonCode: fc.constantFrom('OTHER', null),
    statusReasoning: fc.constantFrom('because', null),
  }),
  fc.record({ blockchainInfo: fc.constantFrom({ blockchain: 'Polygon' }, { origin: null }) }),
);
const anyStatus = fc.record({ status: fc.constantFrom(...STATUSES) });
const decision = fc.record({ status: fc.constantFrom('CONFIRMED', 'DECLINED', 'CANCELLED') });

const side = fc.constantFrom<Side>('outgoing', 'incoming', 'outgoing', 'incoming', 'own');
const outcome = fc.constantFrom(...OUTCOMES);

/** Notes are marked with their side, so that they can be found on the other one. */
const patch = fc
  .tuple(side, fc.array(fc.oneof(data, anyStatus, decision), { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([of, parts, hasNotes]): Command => {
    const notes = hasNotes ? { metadata: `of ${of}`, internalNote: `of ${of}` } : {};
    return { kind: 'PATCH', side: of, body: Object.assign({}, ...parts, notes) as Record<string, unknown> };
  });

const deliver = fc.record({
  kind: fc.constant('DELIVER' as const),
  isOwned: fc.boolean(),
  outcome: fc.option(outcome),
});
const screen = fc.record({ kind: fc.constant('SCREEN' as const), side, outcome });
const review = fc.record({
  kind: fc.constant('REVIEW' as const),
  side,
  decision: fc.constantFrom('PROCEED' as const, 'BLOCK' as const),
});
const delay = fc.record({
  kind: fc.constant('DELAY' as const),
  side,
  maxWaitMinutes: fc.constantFrom(0, 60),
});
const expiry = fc.record({ kind: fc.constant('EXPIRE' as const), side, days: fc.constantFrom(0, 90) });
const prove = fc.record({ kind: fc.constant('PROVE' as const), side, isEnough: fc.boolean() });
const simple = fc.record({
  kind: fc.constantFrom('FIRE_TIMER', 'REPAIR', 'END_REPAIR', 'RETRY', 'PRICE', 'UNROUTED', 'UNREACHABLE'),
  side,
});
const rescreen = fc.record({ kind: fc.constant('RESCREEN' as const), side });
const removal = fc.record({ kind: fc.constant('DELETE' as const), side });

const confirmWallet = fc.record({
  kind: fc.constant('CONFIRM_WALLET' as const),
  outcome: fc.option(outcome),
});
const announce = fc.record({
  kind: fc.constant('ANNOUNCE' as const),
  side: fc.constant('incoming' as const),
  seconds: fc.constantFrom(0, 30),
});

/** Any command, the frequent ones more often. */
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: patch },
  { weight: 6, arbitrary: screen },
  { weight: 5, arbitrary: deliver },
  { weight: 4, arbitrary: review },
  { weight: 3, arbitrary: simple },
  { weight: 2, arbitrary: confirmWallet },
  { weight: 2, arbitrary: announce },
  { weight: 1, arbitrary: fc.oneof(delay, expiry, prove) },
  { weight: 3, arbitrary: rescreen },
  { weight: 1, arbitrary: removal },
);

const CLEARED: Command = { kind: 'SCREEN', side: 'outgoing', outcome: 'PROCEED' };
const FOUND_LATER: readonly Command[] = [
  { kind: 'RESCREEN', side: 'outgoing' },
  { kind: 'SCREEN', side: 'outgoing', outcome: 'MATCH' },
];

const DECIDED_BEFORE: Command = { kind: 'PATCH', side: 'incoming', body: { status: 'CONFIRMED' } };
const NAMED_LATER: Command = {
  kind: 'PATCH',
  side: 'own',
  body: { vaspInfo: { originatorVaspName: SENDER } },
};

/** A message arrives: for its receiver's own record, which may be decided already or name the sender later. */
const arrival = fc
  .record({
    delivery: deliver,
    isDecided: fc.boolean(),
    later: fc.constantFrom<readonly Command[]>([], FOUND_LATER, [NAMED_LATER]),
  })
  .map(({ delivery, isDecided, later }): Command[] => [
    ...(isDecided ? [DECIDED_BEFORE] : []),
    CLEARED,
    delivery,
    ...later,
  ]);

/** A number of commands. Most begin with a message that arrives: left to chance alone, few ever would. */
export function commands({ min, max }: { min: number; max: number }): fc.Arbitrary<Command[]> {
  const opening = fc.oneof({ weight: 3, arbitrary: arrival }, { weight: 1, arbitrary: fc.constant([]) });
  const rest = fc.array(command, { minLength: min, maxLength: max });
  return fc.tuple(opening, rest).map(([first, others]) => [...first, ...others].slice(0, max));
}

/** Commands on a message that has arrived for a wallet which its receiver does not know. */
export const sealedCommands: fc.Arbitrary<Command[]> = fc
  .array(command, { minLength: 1, maxLength: 20 })
  .map((all) => [CLEARED, { kind: 'DELIVER', isOwned: false, outcome: null }, ...all]);

/** Commands of which the beneficiary VASP patches nothing. */
export const sendersCommands = commands({ min: 0, max: 20 }).map((all) =>
  all.filter((next) => next.kind !== 'PATCH' || next.side === 'outgoing'),
);
