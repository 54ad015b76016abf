import fc from 'fast-check';
import { DomainError } from '../../../domain/errors.ts';
import type { Actor } from '../../../domain/events/actor.ts';
import type { PairChange, RecordChange } from '../../../domain/transactions/change.ts';
import { deleteTransaction } from '../../../domain/transactions/delete-transaction.ts';
import {
  answeredOutgoing,
  completedIncoming,
  deliveredOutgoing,
  receivedIncoming,
} from '../../../domain/transactions/exchanging/deliver-native.ts';
import { expire } from '../../../domain/transactions/lifecycle/expire.ts';
import { patchTransaction } from '../../../domain/transactions/patch-transaction.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../domain/transactions/schema.ts';
import { isFinal, STATUSES } from '../../../domain/transactions/state.ts';
import { NOW, transactionRecord } from '../../factories/transaction-record.ts';
import { markUnreachable, markUnrouted } from '../../../domain/transactions/lifecycle/routing-outcomes.ts';

/**
 * Two tenants and one transfer, without a database: what the store does under its locks is done here one step after
 * the other. Whatever both sides send, in whatever order, they must never end with different answers.
 */
interface Exchange {
  outgoing: TransactionRecord;
  /** Null until a message arrives, unless the receiver recorded the transfer itself. */
  incoming: TransactionRecord | null;
  bound: boolean;
  now: Date;
}

type Side = 'outgoing' | 'incoming';
type Step =
  | { kind: 'PATCH'; side: Side; body: Record<string, unknown> }
  | { kind: 'DELETE'; side: Side }
  | { kind: 'DELIVER'; walletConfirmed: boolean }
  | { kind: 'CONFIRM_WALLET' | 'UNROUTED' | 'UNREACHABLE' | 'NINETY_DAYS' };

const HASH = 'ab'.repeat(32);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };
const other = { outgoing: 'incoming', incoming: 'outgoing' } as const;

/** Does one step; what is refused or does not apply leaves everything as it was. */
function after(exchange: Exchange, step: Step): Exchange {
  const now = new Date(exchange.now.getTime() + (step.kind === 'NINETY_DAYS' ? 90 * 86_400_000 : 1_000));
  const next = { ...exchange, now };
  if (step.kind === 'DELIVER') return delivered(next, { confirmed: step.walletConfirmed });
  if (step.kind === 'CONFIRM_WALLET') return released(next);
  if (step.kind === 'PATCH' || step.kind === 'DELETE') return changed(next, step);
  const change = { UNROUTED: markUnrouted, UNREACHABLE: markUnreachable, NINETY_DAYS: expire }[step.kind];
  const { outgoing } = exchange;
  return outgoing.deletedAt ? next : { ...next, outgoing: written(outgoing, change(outgoing, now).own) };
}

function changed(exchange: Exchange, step: Extract<Step, { side: Side }>): Exchange {
  const { side } = step;
  const own = exchange[side];
  if (!own || own.deletedAt) return exchange;
  const bound = exchange.bound ? exchange[other[side]] : null;
  const counterpart = bound && !bound.deletedAt ? bound : null;
  const decision = decided(own, counterpart, step, exchange.now);
  if (!decision) return exchange;
  return {
    ...exchange,
    [side]: written(own, decision.own),
    ...(counterpart && { [other[side]]: written(counterpart, decision.counterpart) }),
  };
}

function decided(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  step: Extract<Step, { side: Side }>,
  now: Date,
): PairChange | null {
  if (step.kind === 'DELETE') return deleteTransaction(own, counterpart, { actor, now });
  try {
    return patchTransaction(own, counterpart, PatchTransactionBody.parse(step.body), { actor, now });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function delivered(exchange: Exchange, { confirmed }: { confirmed: boolean }): Exchange {
  const { outgoing, incoming, now } = exchange;
  if (outgoing.deletedAt || exchange.bound || outgoing.status !== 'PENDING') return exchange;
  const circumstances = {
    incomingId: 'incoming-1',
    pairId: 'exchange-1',
    senderEntityId: 'entity-1',
    receiver: { tenantId: 'tenant-2', entityId: 'entity-2', isTest: false },
    wallet: { id: 7, confirmed },
    now,
  };
  const sent = deliveredOutgoing(outgoing, circumstances);
  const completes = incoming && !incoming.deletedAt && incoming.hashNormal === outgoing.hashNormal;
  if (!completes) {
    const received = receivedIncoming(outgoing, circumstances).after;
    return { ...exchange, bound: true, outgoing: written(outgoing, sent), incoming: received };
  }
  const answer = isFinal(incoming.status) ? answeredOutgoing(sent, incoming) : sent;
  return {
    ...exchange,
    bound: true,
    outgoing: written(outgoing, answer),
    incoming: written(incoming, completedIncoming(incoming, outgoing, circumstances)),
  };
}

function released(exchange: Exchange): Exchange {
  const { incoming, now } = exchange;
  if (!incoming || incoming.deletedAt) return exchange;
  if (!incoming.sealed) return exchange;
  const subStatus = incoming.status === 'DELIVERED' ? 'ON_HOLD' : incoming.subStatus;
  const ownership = { sealed: false, isDestinationConfirmed: true, destinationWalletId: 7 };
  return {
    ...exchange,
    incoming: { ...incoming, ...ownership, subStatus, updatedAt: now, version: incoming.version + 1 },
  };
}

/** The record as stored; its log must say what happened to it, from the status it had to the one it has. */
function written(before: TransactionRecord, change: RecordChange | null): TransactionRecord {
  if (!change) return before;
  expect(change.events.length).toBeGreaterThan(0);
  const moves = change.events.filter((event) => event.newStatus);
  let status: string | null | undefined = before.status;
  for (const event of moves) {
    expect(event.previousStatus).toBe(status);
    status = event.newStatus;
  }
  expect(change.after.status).toBe(status);
  return { ...change.after, version: before.version + 1 };
}

const data = fc.oneof(
  fc.record({ originator: fc.constantFrom({ name: 'Ada' }, { name: 'Ada King' }, { country: 'GB' }, null) }),
  fc.record({ transactionHash: fc.constantFrom(null, HASH, 'cd'.repeat(32)) }),
  fc.record({
    vaspInfo: fc.constantFrom({ beneficiaryVaspName: 'Harbour' }, { beneficiaryVaspExtraInfo: 'desk' }),
  }),
  fc.record({ metadata: fc.constantFrom('note', null), internalNote: fc.constant('note') }),
  fc.record({
    statusReasonCode: fc.constantFrom('OTHER', null),
    statusReasoning: fc.constantFrom('because', null),
  }),
  fc.record({ blockchainInfo: fc.constantFrom({ blockchain: 'Polygon' }, { origin: null }) }),
);
const status = fc.record({ status: fc.constantFrom(...STATUSES) });
const decision = fc.record({ status: fc.constantFrom('CONFIRMED', 'DECLINED', 'CANCELLED') });

/** Notes are marked with their side, so that they can be found on the other one. */
const body = fc
  .tuple(
    fc.constantFrom<Side>('outgoing', 'incoming'),
    fc.array(fc.oneof(data, status, decision), { minLength: 1, maxLength: 3 }),
  )
  .map(([side, parts]): Step => {
    const merged = parts.reduce<Record<string, unknown>>((all, part) => ({ ...all, ...part }), {});
    for (const field of ['metadata', 'internalNote']) {
      if (typeof merged[field] === 'string') merged[field] = `of ${side}`;
    }
    return { kind: 'PATCH', side, body: merged };
  });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: body },
  {
    weight: 3,
    arbitrary: fc.boolean().map((walletConfirmed): Step => ({ kind: 'DELIVER', walletConfirmed })),
  },
  { weight: 2, arbitrary: fc.constantFrom<Step>({ kind: 'CONFIRM_WALLET' }, { kind: 'NINETY_DAYS' }) },
  { weight: 1, arbitrary: fc.constantFrom<Step>({ kind: 'UNROUTED' }, { kind: 'UNREACHABLE' }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Side>('outgoing', 'incoming').map((side): Step => ({ kind: 'DELETE', side })),
  },
);

/** With or without a hash, and with or without a record that the receiver made itself. */
const beginnings = fc
  .record({ hashed: fc.boolean(), recorded: fc.boolean() })
  .map(({ hashed, recorded }): Exchange => {
    const place = hashed ? { transactionHash: HASH, hashNormal: HASH } : {};
    return {
      outgoing: transactionRecord({ ...place, personal: { metadata: 'of outgoing' } }),
      incoming: recorded
        ? transactionRecord({ ...place, direction: 'INCOMING', personal: { metadata: 'of incoming' } })
        : null,
      bound: false,
      now: NOW,
    };
  });

function expectSound(before: Exchange, { outgoing, incoming, bound }: Exchange): void {
  if (isFinal(before.outgoing.status)) expect(outgoing.status).toBe(before.outgoing.status);
  if (before.incoming?.id === incoming?.id && before.incoming && isFinal(before.incoming.status)) {
    expect(incoming?.status).toBe(before.incoming.status);
  }
  if (!incoming || !bound) return;
  if (isFinal(outgoing.status) && isFinal(incoming.status)) expect(incoming.status).toBe(outgoing.status);
  if (incoming.sealed) expect(incoming.status).not.toBe('CONFIRMED');
  expect(JSON.stringify(incoming)).not.toContain('of outgoing');
  expect(JSON.stringify(outgoing)).not.toContain('of incoming');
  if (outgoing.deletedAt || incoming.deletedAt) return;
  expect(isFinal(incoming.status)).toBe(isFinal(outgoing.status));
  if (!isFinal(outgoing.status)) return;
  expect(incoming.statusReasonCode).toBe(outgoing.statusReasonCode);
  expect(incoming.personal.statusReasoning).toBe(outgoing.personal.statusReasoning);
}

test('whatever both tenants do, they never end with different answers, notes stay at home, and the log is whole', () => {
  const ends = new Set<string>();
  fc.assert(
    fc.property(beginnings, fc.array(step, { maxLength: 25 }), (beginning, steps) => {
      let exchange = beginning;
      for (const next of steps) {
        const before = exchange;
        exchange = after(exchange, next);
        expectSound(before, exchange);
      }
      const { outgoing, incoming, bound } = exchange;
      ends.add(`${outgoing.status} ${bound ? incoming?.status : 'alone'}`);
    }),
    { numRuns: 1_000, seed: 20_261_121 },
  );
  // Nothing of this would be worth much if the random steps led nowhere.
  expect([...ends]).toEqual(
    expect.arrayContaining([
      'CONFIRMED CONFIRMED',
      'DECLINED DECLINED',
      'CANCELLED CANCELLED',
      'DELIVERED DELIVERED',
      'CANCELLED alone',
      'FAILED alone',
    ]),
  );
});

test('what the originator VASP says of the originator is what the beneficiary VASP has, as long as it writes nothing itself', () => {
  const outgoingOnly = step.filter((next) => next.kind !== 'PATCH' || next.side === 'outgoing');
  fc.assert(
    fc.property(beginnings, fc.array(outgoingOnly, { maxLength: 20 }), (beginning, steps) => {
      const { outgoing, incoming, bound } = steps.reduce(after, beginning);
      if (!bound || !incoming || outgoing.deletedAt || incoming.deletedAt) return;
      expect(incoming.personal.originator).toEqual(outgoing.personal.originator);
      expect(incoming.hashNormal).toBe(outgoing.hashNormal);
      expect(incoming.blockchainKey).toBe(outgoing.blockchainKey);
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
});
