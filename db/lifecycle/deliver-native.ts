import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isOverdue } from '../../domain/transactions/deadlines.ts';
import { applyVerdict } from '../../domain/transactions/deciding/apply-verdict.ts';
import { followedBy, type RecordChange } from '../../domain/transactions/change.ts';
import { decidedArrival } from '../../domain/transactions/deciding/decide-arrival.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { planOf } from '../../domain/transactions/lifecycle/next-step.ts';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import { sentData } from '../../domain/transactions/sent-data.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { insertPair } from '../message-pairs/insert-pair.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { destinationRoute, shareRoutes, tenantRoute } from '../routes/route-lock.ts';
import { keepComparisons } from '../sanctions-lists/version-lock.ts';
import { replaceInquiry } from '../trp/replace-inquiry.ts';
import { isOvertaken } from './is-overtaken.ts';
import { findOpenTransaction, lockTransaction } from '../transactions/find-transaction.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { answerClaims } from './answer-claims.ts';
import { isUnchangedBasis } from './judgement-basis.ts';
import { keepWaitFacts } from './keep-wait-facts.ts';
import { requireNoBrake } from './require-no-brake.ts';
import {
  isSameArrival,
  planArrival,
  type ArrivalPlan,
  type ClaimAnswer,
  type OutsideReceiver,
} from './plan-arrival.ts';
import { isAsScreened, storeJudgements, type TransactionJudgement } from './settle-screening.ts';

export interface NativeDelivery {
  tenantId: string;
  id: string;
  receiverTenantId: string;
  /** The beneficiary VASP, where the receiver is the gateway that stands for it. */
  outside?: OutsideReceiver;
  /** The claim of the receiver that the message of a VASP outside answers. */
  answers?: ClaimAnswer;
  /** The sender's own screening, stored with the delivery. Left out for a record that was screened before. */
  screened?: TransactionJudgement;
  /** Whether the locked message still goes to this receiver; left out by whoever has just looked for its route. */
  isStillMeant?: (tx: Queryable, sent: TransactionRecord) => Promise<boolean>;
  now: Date;
}

export interface DeliveredMessage {
  /** The originator VASP's record. */
  record: TransactionRecord;
  /** The beneficiary VASP's record. */
  incoming: TransactionRecord;
  outbox: OutboxEntry[];
}

/** Screens the receiver's record and decides on it before it is stored; null where that has to wait for something. */
export type JudgeArrival = (arriving: OpenTransaction) => Promise<TransactionJudgement | null>;

/** More changes of lists, rules or records than that in a row: then the message is screened after it has arrived. */
const MAX_JUDGEMENTS = 3;
/** A new version of a list is loaded within a second or so. */
const STALE_PAUSE_MS = 300;

/**
 * Delivers an outgoing message to another tenant of this deployment. Both records with the verdicts on them, both
 * event logs, both webhooks and the message pair are written in one transaction; the verdicts are made before it and
 * count only if nothing they rest on has changed. A second call changes nothing. Null when the record is gone or no
 * longer waits for delivery, for example because it is overdue; SCREEN_AGAIN when the sender's own screening does not
 * count any more. Throws ReceiverSuspended, MessagePaused.
 */
export async function deliverNative(
  db: Database,
  delivery: NativeDelivery,
  judge: JudgeArrival,
): Promise<DeliveredMessage | 'SCREEN_AGAIN' | null> {
  for (let tries = 0; tries < MAX_JUDGEMENTS; tries += 1) {
    const judged = await judgeArrival(db, delivery, judge);
    const delivered = await inTransaction(
      db.pool,
      async (tx) => await deliverInTransaction(db, tx, delivery, judged),
    );
    if (delivered !== 'STALE') return delivered;
    await delay(STALE_PAUSE_MS);
  }
  return await inTransaction(db.pool, async (tx) => await deliverUnjudged(db, tx, delivery));
}

/** Delivers without a verdict on what arrives; it is screened afterwards. */
async function deliverUnjudged(
  db: Database,
  tx: pg.PoolClient,
  delivery: NativeDelivery,
): Promise<DeliveredMessage | 'SCREEN_AGAIN' | null> {
  const delivered = await deliverInTransaction(db, tx, delivery, null);
  if (delivered === 'STALE') throw new Error('a delivery without a verdict cannot be stale');
  return delivered;
}

/** A planned arrival and the receiver's verdict on it. */
export interface JudgedArrival {
  plan: ArrivalPlan;
  settlement: TransactionJudgement;
}

/** The verdict on the record that the delivery would write; null where it cannot be made now. */
async function judgeArrival(
  db: Database,
  { tenantId, id, receiverTenantId, outside, screened, now }: NativeDelivery,
  judge: JudgeArrival,
): Promise<JudgedArrival | null> {
  const outgoing = screened?.open ?? (await findOpenTransaction(db, tenantId, id));
  const sent = outgoing && (afterScreening(outgoing.record, screened)?.after ?? outgoing.record);
  return sent && isDeliverable(sent, now)
    ? await judgeMessage(db, { sent, receiverTenantId, ...(outside && { outside }), now }, judge)
    : null;
}

/** The change that the sender's own screening makes; null without one, and when it does not count any more. */
function afterScreening(
  own: TransactionRecord,
  screened: TransactionJudgement | undefined,
): RecordChange | null {
  if (!screened || !isAsScreened(own, screened.open.record)) return null;
  return applyVerdict(own, null, screened.verdict, screened.now).own;
}

interface ArrivingMessage {
  /** The sender's record, which may not be stored yet. */
  sent: TransactionRecord;
  receiverTenantId: string;
  outside?: OutsideReceiver;
  answers?: ClaimAnswer;
  now: Date;
}

/** The receiver's verdict on a message, before it is delivered; null where it cannot be made now. */
export async function judgeMessage(
  db: Database,
  message: ArrivingMessage,
  judge: JudgeArrival,
): Promise<JudgedArrival | null> {
  const plan = await planArrival(db, db.pool, { ...message, detects: false });
  const { after } = plan.received;
  if (!needsScreening(after)) return null;
  // The version that is stored with the arrival.
  const version = plan.completed ? after.version + 1 : after.version;
  const settlement = await judge({ ...plan.open, record: { ...after, version } });
  return settlement && { plan, settlement };
}

/** Like deliverNative, inside a database transaction. A verdict that does not count any more is left out. */
export async function deliverInTime(
  db: Database,
  tx: pg.PoolClient,
  delivery: Omit<NativeDelivery, 'screened'>,
  judged: JudgedArrival | null,
): Promise<DeliveredMessage | null> {
  let delivered = await deliverInTransaction(db, tx, delivery, judged);
  if (delivered === 'STALE') delivered = await deliverUnjudged(db, tx, delivery);
  if (delivered === 'SCREEN_AGAIN') throw new Error('the sender has no screening that could be out of date');
  return delivered;
}

async function deliverInTransaction(
  db: Database,
  tx: pg.PoolClient,
  delivery: NativeDelivery,
  judged: JudgedArrival | null,
): Promise<DeliveredMessage | 'STALE' | 'SCREEN_AGAIN' | null> {
  const { tenantId, id, receiverTenantId, outside, answers, screened, isStillMeant, now } = delivery;
  if (judged && !(await keepWaitFacts(tx, [judged.settlement], db))) return 'STALE';
  await keepComparisons(tx, [tenantId, receiverTenantId]);
  // Taken before any row lock, so that a wallet registered for the destination at the same time either is found here
  // or finds this message.
  const destinationNormal = await lockDestination(tx, delivery);
  const outgoing = await lockTransaction(db, tx, tenantId, id);
  if (!outgoing) return null;
  const own = afterScreening(outgoing.record, screened);
  if (screened && !own) return 'SCREEN_AGAIN';
  const sent = own?.after ?? outgoing.record;
  if (!isDeliverable(sent, now) || sent.destinationNormal !== destinationNormal) return null;
  if (isStillMeant && !(await isStillMeant(tx, sent))) return null;
  const released = { open: { ...outgoing, record: sent }, isMailed: isStillMeant !== undefined };
  if (!screened && (await isOvertaken(db, tx, released))) return 'SCREEN_AGAIN';
  const parties = judged?.plan.parties;
  const plan = await planArrival(db, tx, {
    sent,
    receiverTenantId,
    ...(outside && { outside }),
    ...(answers && { answers }),
    detects: true,
    now,
    ...(parties && { parties }),
  });
  await requireNoBrake(tx, plan);
  // Checked after the records are locked: rules and settings may have changed during the wait for the locks.
  if (screened && !(await isUnchangedBasis(tx, screened.basis))) return 'SCREEN_AGAIN';
  if (judged && !(await isStillValid(tx, judged, plan))) return 'STALE';
  const writes = writesOf(outgoing, plan, { own, judged, now });
  const { related } = judged?.plan ?? plan;
  const { records, outbox } = await writeChanges(db, tx, related ? [...writes, related] : writes, now);
  const [{ change: delivered }, { change: received }] = writes;
  await insertPair(tx, { sent: delivered.after, received: received.after }, now);
  await storeJudgements(
    tx,
    [screened, judged?.settlement].filter((settlement) => settlement !== undefined),
  );
  const [record, incoming] = records;
  if (!record || !incoming) throw new Error('a record of the pair was not written');
  const arrived = { sent: record, received: incoming, answers: answers?.claim.id };
  const answered = await answerClaims(db, tx, arrived, now);
  // By another way before, the message may have reached a VASP by TRP whose answer was lost.
  const leavesTrp = db.speaksTrp && record.messageSource !== 'TRP';
  const replaced = leavesTrp ? await replaceInquiry(tx, id, now) : [];
  return { record, incoming, outbox: [...outbox, ...answered, ...replaced] };
}

async function isStillValid(tx: Queryable, judged: JudgedArrival, plan: ArrivalPlan): Promise<boolean> {
  return isSameArrival(judged.plan, plan) && (await isUnchangedBasis(tx, judged.settlement.basis));
}

type BothWrites = [outgoing: TransactionWrite, incoming: TransactionWrite];

interface WritesInput {
  /** The change of the sender's record by its own screening. */
  own: RecordChange | null;
  judged: JudgedArrival | null;
  now: Date;
}

/**
 * The writes of both records. A judged arrival is written as it was judged: its screening is sealed with its key. What
 * still has to happen to it, such as the end of a rule's wait, is for its own workflow.
 */
function writesOf(
  outgoing: OpenTransaction,
  fresh: ArrivalPlan,
  { own, judged, now }: WritesInput,
): BothWrites {
  const plan = judged?.plan ?? fresh;
  const { delivered, received } = judged
    ? decidedArrival(plan.delivered, plan.received, judged.settlement.verdict, judged.settlement.now)
    : plan;
  const forwarded = sentData(outgoing.record);
  const wakesWorkflow = received.wakesWorkflow || planOf(received.after, now).step !== 'DONE';
  return [
    { open: outgoing, change: own ? followedBy(own, delivered) : delivered, isNew: false, forwarded },
    { open: plan.open, change: { ...received, wakesWorkflow }, isNew: plan.completed === null, forwarded },
  ];
}

/** Whether the message waits to be sent: one that changed after it was cleared has to be screened again first. */
function isDeliverable(record: TransactionRecord, now: Date): boolean {
  const { status, hold, pairId, deletedAt } = record;
  const isCleared = !needsScreening(record) && hold === null;
  return (
    status === 'PENDING' && isCleared && pairId === null && deletedAt === null && !isOverdue(record, now)
  );
}

/** Locks the destination and the tenants; the destination as it is known or read before, and returns it; undefined when the record is gone. */
async function lockDestination(
  tx: Queryable,
  { tenantId, id, receiverTenantId, screened }: NativeDelivery,
): Promise<string | undefined> {
  const known = screened?.open.record.destinationNormal ?? (await readDestination(tx, tenantId, id));
  if (known !== undefined)
    await shareRoutes(tx, [destinationRoute(known), tenantRoute(tenantId), tenantRoute(receiverTenantId)]);
  return known;
}

async function readDestination(tx: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ destination_normal: string }>({
    name: 'destination-of-transaction',
    text: 'select destination_normal from transactions where tenant_id = $1 and id = $2',
    values: [tenantId, id],
  });
  return rows[0]?.destination_normal;
}
