import fc from 'fast-check';
import { STATUSES } from '../../../../domain/transactions/state.ts';
import { OUTCOMES, type Outcome } from './verdicts.ts';

export type Side = 'outgoing' | 'incoming';
const SIDES: readonly Side[] = ['outgoing', 'incoming'];

/** What can happen to a transfer, on either side. */
export type Command =
  | { kind: 'PATCH'; side: Side; body: Record<string, unknown> }
  | { kind: 'REVIEW'; side: Side; decision: 'PROCEED' | 'BLOCK' }
  | { kind: 'SCREEN'; side: Side; outcome: Outcome }
  | { kind: 'DELAY'; side: Side; maxWaitMinutes: number }
  | { kind: 'EXPIRE'; side: Side; days: number }
  | { kind: 'PROVE'; side: Side; isEnough: boolean }
  | { kind: 'DELETE' | 'FIRE_TIMER' | 'RETRY' | 'PRICE' | 'UNROUTED' | 'UNREACHABLE'; side: Side }
  | { kind: 'RESCREEN'; side: Side }
  /** `outcome`: the receiver's verdict on arrival; null where it has to wait for a list or a provider. */
  | { kind: 'DELIVER'; isOwned: boolean; outcome: Outcome | null }
  | { kind: 'CONFIRM_WALLET' };

export const HASH = 'ab'.repeat(32);

const data = fc.oneof(
  fc.record({ originator: fc.constantFrom({ name: 'Ada' }, { name: 'Ada King' }, { country: 'GB' }, null) }),
  fc.record({ transactionHash: fc.constantFrom(null, HASH, 'cd'.repeat(32)) }),
  fc.record({
    vaspInfo: fc.constantFrom({ beneficiaryVaspName: 'Harbour' }, { beneficiaryVaspExtraInfo: 'desk' }),
  }),
  fc.record({
    statusReasonCode: fc.constantFrom('OTHER', null),
    statusReasoning: fc.constantFrom('because', null),
  }),
  fc.record({ blockchainInfo: fc.constantFrom({ blockchain: 'Polygon' }, { origin: null }) }),
);
const anyStatus = fc.record({ status: fc.constantFrom(...STATUSES) });
const decision = fc.record({ status: fc.constantFrom('CONFIRMED', 'DECLINED', 'CANCELLED') });

const side = fc.constantFrom(...SIDES);
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
  kind: fc.constantFrom('FIRE_TIMER', 'RETRY', 'PRICE', 'UNROUTED', 'UNREACHABLE'),
  side,
});
const rescreen = fc.record({ kind: fc.constant('RESCREEN' as const), side });
const removal = fc.record({ kind: fc.constant('DELETE' as const), side });

/** Any command, the frequent ones more often. */
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: patch },
  { weight: 6, arbitrary: screen },
  { weight: 5, arbitrary: deliver },
  { weight: 4, arbitrary: review },
  { weight: 3, arbitrary: simple },
  { weight: 2, arbitrary: fc.constant<Command>({ kind: 'CONFIRM_WALLET' }) },
  { weight: 1, arbitrary: fc.oneof(delay, expiry, prove) },
  { weight: 3, arbitrary: rescreen },
  { weight: 1, arbitrary: removal },
);

const CLEARED: Command = { kind: 'SCREEN', side: 'outgoing', outcome: 'PROCEED' };
const FOUND_LATER: readonly Command[] = [
  { kind: 'RESCREEN', side: 'outgoing' },
  { kind: 'SCREEN', side: 'outgoing', outcome: 'MATCH' },
];

const arrival = fc
  .tuple(deliver, fc.boolean())
  .map(([delivery, isFoundLater]): Command[] => [CLEARED, delivery, ...(isFoundLater ? FOUND_LATER : [])]);

/** A number of commands. Most begin with a message that arrives: left to chance alone, few ever would. */
export function commands({ min, max }: { min: number; max: number }): fc.Arbitrary<Command[]> {
  const opening = fc.oneof({ weight: 3, arbitrary: arrival }, { weight: 1, arbitrary: fc.constant([]) });
  const rest = fc.array(command, { minLength: min, maxLength: max });
  return fc.tuple(opening, rest).map(([first, others]) => [...first, ...others].slice(0, max));
}

/** Commands of which the beneficiary VASP patches nothing. */
export const sendersCommands = commands({ min: 0, max: 20 }).map((all) =>
  all.filter((next) => next.kind !== 'PATCH' || next.side === 'outgoing'),
);
