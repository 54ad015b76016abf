import { DomainError } from '../../../../domain/errors.ts';
import type { Actor } from '../../../../domain/events/actor.ts';
import type { EventDraft } from '../../../../domain/events/event.ts';
import {
  followedBy,
  NO_CHANGE,
  type PairChange,
  type RecordChange,
} from '../../../../domain/transactions/change.ts';
import { outcomeOf } from '../../../../domain/transactions/clearance.ts';
import { applyVerdict } from '../../../../domain/transactions/deciding/apply-verdict.ts';
import { decidedArrival } from '../../../../domain/transactions/deciding/decide-arrival.ts';
import { delayScreening } from '../../../../domain/transactions/deciding/delay-screening.ts';
import { reviewTransaction } from '../../../../domain/transactions/deciding/review.ts';
import { announced, announceWithoutVerdict } from '../../../../domain/transactions/announcement.ts';
import { deleteTransaction } from '../../../../domain/transactions/delete-transaction.ts';
import { owedAnswer } from '../../../../domain/transactions/exchanging/answer-owed.ts';
import { completedIncoming } from '../../../../domain/transactions/exchanging/complete-own-record.ts';
import {
  deliveredOutgoing,
  receivedIncoming,
} from '../../../../domain/transactions/exchanging/deliver-native.ts';
import {
  isDecisive,
  relateRecords,
  takenDecision,
} from '../../../../domain/transactions/exchanging/relate-records.ts';
import { expire } from '../../../../domain/transactions/lifecycle/expire.ts';
import { fillFiatValues } from '../../../../domain/transactions/lifecycle/fill-fiat-values.ts';
import { fireTimer } from '../../../../domain/transactions/lifecycle/fire-timer.ts';
import { releasedRecord, releaseRecord } from '../../../../domain/transactions/lifecycle/release.ts';
import { retryTransaction } from '../../../../domain/transactions/lifecycle/restart-routing.ts';
import { markUnreachable, markUnrouted } from '../../../../domain/transactions/lifecycle/routing-outcomes.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import { endRepair } from '../../../../domain/transactions/repairing/end-repair.ts';
import { requestRepair } from '../../../../domain/transactions/changing/request-repair.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { needsScreening } from '../../../../domain/transactions/screening-due.ts';
import { confirmSelfHosted } from '../../../../domain/transactions/self-hosted/self-hosted.ts';
import { subStatusOf } from '../../../../domain/transactions/sub-status.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { SIDES, type Command, type Side } from './commands.ts';
import { fitOf, relatedChanges } from './related.ts';
import { verdictOf } from './verdicts.ts';

/**
 * Two tenants and one transfer, without a database: what the store does under its locks is done here one command after
 * the other.
 */
export interface Pair {
  outgoing: TransactionRecord;
  /** Null until a message arrives, unless the receiver recorded the transfer itself. */
  incoming: TransactionRecord | null;
  /** The receiver's own record, if the message has a record beside it. */
  own: TransactionRecord | null;
  isPaired: boolean;
  /** The webhooks that each side was sent: the clearance that it was told last. */
  told: Record<Side, string | null>;
  /** Every webhook of the receiver, as it is sent, and every entry of its log. */
  webhooks: unknown[];
  log: EventDraft[];
  now: Date;
}

const actor: Actor = { kind: 'API_KEY', id: '01900000-0000-7000-8000-000000000001' };
const OTHER = { outgoing: 'incoming', incoming: 'outgoing', own: null } as const;
const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Runs one command; what is refused or does not apply leaves everything as it was. */
export function run(pair: Pair, command: Command): Pair {
  const days = command.kind === 'EXPIRE' ? command.days : 0;
  const seconds = command.kind === 'ANNOUNCE' ? command.seconds : 0;
  const passedMs = (1 + seconds) * SECOND_MS + days * DAY_MS;
  const next = { ...pair, now: new Date(pair.now.getTime() + passedMs) };
  if (command.kind === 'DELIVER') return delivered(next, command);
  if (command.kind === 'CONFIRM_WALLET') return released(routedAgain(next), command);
  if (command.kind === 'RESCREEN') return markedForRescreening(next, command);
  return changed(next, command);
}

export type ChangeCommand = Exclude<Command, { kind: 'DELIVER' | 'CONFIRM_WALLET' | 'RESCREEN' }>;

function changed(pair: Pair, command: ChangeCommand): Pair {
  const { side } = command;
  const own = pair[side];
  if (!own || own.deletedAt) return pair;
  const otherSide = OTHER[side];
  const other = otherSide && pair.isPaired ? pair[otherSide] : null;
  const counterpart = other && !other.deletedAt ? other : null;
  const change = decide(own, counterpart, command, pair.now);
  const changes = {
    [side]: change.own,
    ...(otherSide && counterpart && { [otherSide]: change.counterpart }),
  };
  const next = followed(store(pair, changes), pair);
  return command.kind === 'PATCH' ? related(next, pair, command) : next;
}

/** The receiver's own record takes the decision that was just made on the message of the same transfer. */
function followed(pair: Pair, before: Pair): Pair {
  const { incoming, own, now } = pair;
  if (!incoming || !own || incoming.relatedTransactionId !== own.id || !isDecisive(incoming)) return pair;
  if (before.incoming && isDecisive(before.incoming)) return pair;
  return store(pair, { own: takenDecision(own, incoming, now) });
}

/** A later hash, chain or name of the VASP may relate the message's record and the receiver's own one. */
function related(pair: Pair, before: Pair, { body, side }: Extract<Command, { kind: 'PATCH' }>): Pair {
  const { incoming, own, outgoing, now } = pair;
  const isOfPair = side === 'outgoing' && outgoing.deletedAt !== null;
  if (!incoming || !own || incoming.deletedAt || own.deletedAt || isOfPair) return pair;
  const changes = relatedChanges({ message: incoming, own, before: before.own, side, body, now });
  return changes ? store(pair, { incoming: changes.message, own: changes.own }) : pair;
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
      return applyVerdict(own, counterpart, verdictOf(command.outcome, own, now), now);
    case 'ANNOUNCE':
      return announceWithoutVerdict(own, now);
    case 'DELAY':
      return delayScreening(
        own,
        { what: 'AML', maxWaitMinutes: command.maxWaitMinutes, triedSince: own.createdAt },
        now,
      );
    case 'EXPIRE':
      return expire(own, now);
    case 'FIRE_TIMER':
      return fireTimer(own, counterpart, { actor, now });
    case 'REPAIR':
      return requestRepair(own, counterpart, {
        fields: ['originator.name', 'originator.country'],
        reason: null,
        deadlineAt: new Date(now.getTime() + SECOND_MS),
        actor,
        now,
      });
    case 'END_REPAIR':
      return endRepair(own, counterpart, now);
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

const SELF_HOSTED = {
  thresholdEur: null,
  flowsAbove: [],
  maxProofAgeDays: null,
  acceptUnbound: false,
  byTwo: false,
};

function delivered(pair: Pair, { isOwned, outcome }: Extract<Command, { kind: 'DELIVER' }>): Pair {
  const { outgoing, incoming, now } = pair;
  const isCleared = outgoing.screeningState !== 'DUE' && outgoing.hold === null;
  const isDue = outgoing.status === 'PENDING' && outgoing.destinationType === 'CUSTODIAL' && isCleared;
  const isOverdue = outgoing.deadlineAt !== null && outgoing.deadlineAt <= now;
  if (!isDue || outgoing.deletedAt || pair.isPaired || isOverdue) return pair;
  const input = {
    incomingId: 'incoming-1',
    pairId: 'pair-1',
    sender: { entityId: 'entity-1', messageSource: 'NATIVE' },
    receiver: {
      tenantId: 'tenant-2',
      entityId: 'entity-2',
      messageSource: 'NATIVE',
      screens: true,
      skipped: [],
    },
    wallet: isOwned ? { id: 7, confirmed: true } : null,
    now,
  };
  const sent = deliveredOutgoing(outgoing, input);
  const fit = incoming && fitOf(incoming, outgoing);
  const completed = fit === 'NAMED' ? incoming : null;
  const received = completed
    ? completedIncoming(completed, outgoing, input)
    : receivedIncoming(outgoing, input);
  const answered = followedBy(sent, completed && owedAnswer(received.after, sent.after, now));
  const arriving = received.after;
  const verdict = outcome === null || !needsScreening(arriving) ? null : verdictOf(outcome, arriving, now);
  const relation =
    incoming && fit === 'UNNAMED'
      ? relateRecords(arriving, incoming, { isNamed: false, wasNamed: false, fills: false, now })
      : null;
  const arrived = followedBy(received, relation?.message ?? null);
  const both = verdict
    ? decidedArrival(answered, arrived, verdict, now)
    : { delivered: answered, received: arrived };
  const own = completed ? null : incoming;
  const told = { ...pair.told, own: pair.told.incoming };
  const paired = {
    ...pair,
    isPaired: true,
    incoming: completed,
    own,
    ...(own && { told: { ...told, incoming: null } }),
  };
  return store(paired, { outgoing: both.delivered, incoming: both.received, own: relation?.own ?? null });
}

/** The receiver's wallet is confirmed: what was hidden is shown, with the verdict on it. */
function released(pair: Pair, { outcome }: Extract<Command, { kind: 'CONFIRM_WALLET' }>): Pair {
  const { incoming, outgoing, now } = pair;
  const isWaiting = incoming?.isDestinationConfirmed === false && !incoming.deletedAt;
  if (!isWaiting) return pair;
  const visible = releasedRecord(incoming, now);
  const isJudged = outcome !== null && incoming.sealed && needsScreening(visible);
  const verdict = isJudged ? verdictOf(outcome, visible, now) : null;
  const counterpart = outgoing.deletedAt ? null : outgoing;
  const change = releaseRecord(incoming, counterpart, verdict, now);
  return store(pair, { incoming: change.own, outgoing: change.counterpart });
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
  if (!isOpen || own.sealed || own.screeningState === null) return pair;
  const isReviewed = own.screeningState === 'REVIEWED' || own.screeningState === 'RECHECK';
  const screeningState = isReviewed ? 'RECHECK' : 'DUE';
  return { ...pair, [side]: { ...own, screeningState, screeningDueSince: pair.now, wakeAt: pair.now } };
}

/** Writes the changes as the door does: the next version, its events, and a webhook where one is due. */
function store(pair: Pair, changes: Partial<Record<Side, RecordChange | null>>): Pair {
  let next = pair;
  for (const side of SIDES) {
    const given = changes[side];
    if (!given) continue;
    const before = pair[side];
    const change = announced(before, given, pair.now);
    const { after, notify, events } = change;
    next = {
      ...next,
      [side]: { ...after, version: before ? before.version + 1 : 1 },
      told: { ...next.told, [side]: notify ? outcomeOf(after) : next.told[side] },
      ...(side === 'incoming' && {
        webhooks: notify ? [...next.webhooks, viewTransaction(after, 'entity')] : next.webhooks,
        log: [...next.log, ...events],
      }),
    };
    expectWholeLog(before, change);
  }
  // A message that was taken back ends the pair.
  return { ...next, isPaired: next.isPaired && next.incoming?.pairId !== null };
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
