import { DomainError } from '../../../../domain/errors.ts';
import type { Actor } from '../../../../domain/events/actor.ts';
import { NO_CHANGE, type PairChange, type RecordChange } from '../../../../domain/transactions/change.ts';
import { outcomeOf } from '../../../../domain/transactions/clearance.ts';
import { applyVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import { decidedArrival } from '../../../../domain/transactions/deciding/decide-arrival.ts';
import { delayScreening } from '../../../../domain/transactions/deciding/delay-screening.ts';
import { reviewTransaction } from '../../../../domain/transactions/deciding/review.ts';
import { deleteTransaction } from '../../../../domain/transactions/delete-transaction.ts';
import {
  answeredOutgoing,
  completedIncoming,
  deliveredOutgoing,
  receivedIncoming,
} from '../../../../domain/transactions/exchanging/deliver-native.ts';
import { expire } from '../../../../domain/transactions/lifecycle/expire.ts';
import { fillFiatValues } from '../../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { fireTimer } from '../../../../domain/transactions/lifecycle/fire-timer.ts';
import { retryTransaction } from '../../../../domain/transactions/lifecycle/restart-routing.ts';
import { markUnreachable, markUnrouted } from '../../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { patchTransaction } from '../../../../domain/transactions/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { needsScreening } from '../../../../domain/transactions/screening-due.ts';
import { confirmSelfHosted } from '../../../../domain/transactions/self-hosted/self-hosted.ts';
import { isFinal } from '../../../../domain/transactions/state.ts';
import { subStatusOf } from '../../../../domain/transactions/sub-status.ts';
import type { Command, Side } from './commands.ts';
import { verdictOf } from './verdicts.ts';

/**
 * Two tenants and one transfer, without a database: what the store does under its locks is done here one command after
 * the other.
 */
export interface Pair {
  outgoing: TransactionRecord;
  /** Null until a message arrives, unless the receiver recorded the transfer itself. */
  incoming: TransactionRecord | null;
  isPaired: boolean;
  /** The receiver has published rules, which decide again on what is released. */
  isRuled: boolean;
  /** The webhooks that each side was sent: the clearance that it was told last. */
  told: Record<Side, string | null>;
  now: Date;
}

const actor: Actor = { kind: 'API_KEY', id: '01900000-0000-7000-8000-000000000001' };
const OTHER = { outgoing: 'incoming', incoming: 'outgoing' } as const;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Runs one command; what is refused or does not apply leaves everything as it was. */
export function run(pair: Pair, command: Command): Pair {
  const days = command.kind === 'EXPIRE' ? command.days : 0;
  const next = { ...pair, now: new Date(pair.now.getTime() + SECOND_MS + days * DAY_MS) };
  if (command.kind === 'DELIVER') return delivered(next, command);
  if (command.kind === 'CONFIRM_WALLET') return unsealed(routedAgain(next));
  if (command.kind === 'RESCREEN') return markedForRescreening(next, command);
  return changed(next, command);
}

export type ChangeCommand = Exclude<Command, { kind: 'DELIVER' | 'CONFIRM_WALLET' | 'RESCREEN' }>;

function changed(pair: Pair, command: ChangeCommand): Pair {
  const { side } = command;
  const own = pair[side];
  if (!own || own.deletedAt) return pair;
  const other = pair.isPaired ? pair[OTHER[side]] : null;
  const counterpart = other && !other.deletedAt ? other : null;
  const change = decide(own, counterpart, command, pair.now);
  return store(pair, { [side]: change.own, ...(counterpart && { [OTHER[side]]: change.counterpart }) });
}

/** What the product decides on one command. A refusal changes nothing. */
export function decide(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  command: ChangeCommand,
  now: Date,
): PairChange {
  try {
    return decideOrRefuse(own, counterpart, command, now);
  } catch (error) {
    if (error instanceof DomainError) return NO_CHANGE;
    throw error;
  }
}

function decideOrRefuse(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  command: ChangeCommand,
  now: Date,
): PairChange {
  switch (command.kind) {
    case 'PATCH':
      return patchTransaction(own, counterpart, PatchTransactionBody.parse(command.body), { actor, now });
    case 'DELETE':
      return deleteTransaction(own, counterpart, { actor, now });
    case 'REVIEW':
      return reviewTransaction(
        own,
        counterpart,
        { decision: command.decision, reason: `of ${command.side}` },
        { actor, now },
      );
    case 'SCREEN':
      return own.sealed
        ? NO_CHANGE
        : applyVerdict(own, counterpart, verdictOf(command.outcome, own, now), now);
    case 'DELAY':
      return delayScreening(own, { what: 'AML', maxWaitMinutes: command.maxWaitMinutes }, now);
    case 'EXPIRE':
      return expire(own, now);
    case 'FIRE_TIMER':
      return fireTimer(own, { actor, now });
    case 'RETRY':
      return retryTransaction(own, { actor, now });
    case 'PRICE':
      return fillFiatValues(own, { usd: '4000', eur: '3600', source: 'test', pricedAt: now }, now);
    case 'PROVE':
      return confirmSelfHosted(own, [], { ...SELF_HOSTED, autoConfirm: command.isEnough }, now);
    case 'UNROUTED':
      return markUnrouted(own, now);
    case 'UNREACHABLE':
      return markUnreachable(own, now);
  }
}

const SELF_HOSTED = { thresholdEur: null, flowsAbove: [], maxProofAgeDays: null };

function delivered(pair: Pair, { isOwned, outcome }: Extract<Command, { kind: 'DELIVER' }>): Pair {
  const { outgoing, incoming, now } = pair;
  const isCleared = outgoing.screeningState !== 'DUE' && outgoing.hold === null;
  const isDue = outgoing.status === 'PENDING' && outgoing.destinationType === 'CUSTODIAL' && isCleared;
  const isOverdue = outgoing.deadlineAt !== null && outgoing.deadlineAt <= now;
  if (!isDue || outgoing.deletedAt || pair.isPaired || isOverdue) return pair;
  const input = {
    incomingId: 'incoming-1',
    pairId: 'pair-1',
    senderEntityId: 'entity-1',
    receiver: { tenantId: 'tenant-2', entityId: 'entity-2', isTest: false },
    wallet: isOwned ? { id: 7, confirmed: true } : null,
    now,
  };
  const sent = deliveredOutgoing(outgoing, input);
  const completes = incoming && !incoming.deletedAt && isSameTransfer(incoming, outgoing);
  const received = completes
    ? completedIncoming(incoming, outgoing, input)
    : receivedIncoming(outgoing, input);
  const answered = completes && isFinal(incoming.status) ? answeredOutgoing(sent, incoming) : sent;
  const arriving = received.after;
  const verdict =
    outcome === null || arriving.sealed || !needsScreening(arriving)
      ? null
      : verdictOf(outcome, arriving, now);
  const both = verdict ? decidedArrival(answered, received, verdict, now) : { delivered: answered, received };
  const paired = { ...pair, isPaired: true, incoming: completes ? incoming : null };
  return store(paired, { outgoing: both.delivered, incoming: both.received });
}

/** One transfer on its chain: a record without a hash is not known to be. */
function isSameTransfer(one: TransactionRecord, other: TransactionRecord): boolean {
  const keys = ['hashNormal', 'destinationNormal', 'blockchainKey', 'destinationTag'] as const;
  return one.hashNormal !== null && keys.every((key) => one[key] === other[key]);
}

/** The receiver's wallet is confirmed: what was hidden is shown, and decided again where rules decide. */
function unsealed(pair: Pair): Pair {
  const { incoming, isRuled, now } = pair;
  if (!incoming?.sealed || incoming.deletedAt) return pair;
  const isDue = isRuled && incoming.status === 'DELIVERED' && incoming.hold === null;
  const due = isDue ? ({ screeningState: 'DUE', screeningDueSince: now, wakeAt: now } as const) : {};
  const shown = { sealed: false, isDestinationConfirmed: true, destinationWalletId: 7, updatedAt: now };
  const after = { ...incoming, ...shown, ...due };
  const events = [{ type: 'RELEASED', message: 'released', actor }];
  return store(pair, { incoming: { after, events, notify: true, wakesWorkflow: false } });
}

/** An unrouted message is routed again when somebody registers its destination, after it was screened again. */
function routedAgain(pair: Pair): Pair {
  const { outgoing, now } = pair;
  const isUnrouted = subStatusOf(outgoing) === 'VASP_NOT_FOUND' && outgoing.status === 'PENDING';
  if (!isUnrouted || outgoing.deletedAt) return pair;
  const isDecided = outgoing.screeningState === 'CLEARED' || outgoing.screeningState === 'DUE';
  const due = isDecided ? ({ screeningState: 'DUE', screeningDueSince: now } as const) : {};
  return { ...pair, outgoing: { ...outgoing, ...due, wakeAt: now } };
}

/** A new version of a list concerns an open transaction. */
function markedForRescreening(pair: Pair, { side }: { side: Side }): Pair {
  const own = pair[side];
  const isOpen = own && !own.deletedAt && (own.status === 'PENDING' || own.status === 'DELIVERED');
  if (!isOpen || own.screeningState === null) return pair;
  const isReviewed = own.screeningState === 'REVIEWED' || own.screeningState === 'RECHECK';
  const screeningState = isReviewed ? 'RECHECK' : 'DUE';
  return { ...pair, [side]: { ...own, screeningState, screeningDueSince: pair.now, wakeAt: pair.now } };
}

/** Writes the changes as the door does: the next version, its events, and a webhook where one is due. */
function store(pair: Pair, changes: Partial<Record<Side, RecordChange | null>>): Pair {
  let next = pair;
  for (const side of ['outgoing', 'incoming'] as const) {
    const change = changes[side];
    if (!change) continue;
    const before = pair[side];
    next = {
      ...next,
      [side]: { ...change.after, version: before ? before.version + 1 : 1 },
      told: { ...next.told, [side]: isTold(before, change) ? outcomeOf(change.after) : next.told[side] },
    };
    expectWholeLog(before, change);
  }
  return next;
}

function isTold(before: TransactionRecord | null, { after, notify }: RecordChange): boolean {
  if (after.deletedAt !== null) return notify;
  return notify || (before !== null && outcomeOf(before) !== outcomeOf(after));
}

/** Every change has its events, and they tell the way from the status before to the one after. */
function expectWholeLog(before: TransactionRecord | null, { after, events }: RecordChange): void {
  expect(events.length).toBeGreaterThan(0);
  let status: string | null | undefined = before?.status ?? null;
  for (const event of events.filter(({ newStatus }) => newStatus)) {
    expect(event.previousStatus ?? null).toBe(status);
    status = event.newStatus;
  }
  expect(after.status).toBe(status);
}
