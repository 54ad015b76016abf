import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isOverdue } from '../../domain/transactions/deadlines.ts';
import { decidedArrival } from '../../domain/transactions/deciding/decide-arrival.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { planOf } from '../../domain/transactions/lifecycle/next-step.ts';
import { needsScreening } from '../../domain/transactions/screening-due.ts';
import { sentData } from '../../domain/transactions/sent-data.ts';
import { isFinal } from '../../domain/transactions/state.ts';
import { type Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { destinationRoute, shareRoutes } from '../routes/route-lock.ts';
import { findOpenTransaction, lockTransaction } from '../transactions/find-transaction.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { writeChanges, type TransactionWrite } from '../transactions/write-changes.ts';
import { isCurrentBasis } from './judgement-basis.ts';
import { isSameArrival, planArrival, type ArrivalPlan } from './plan-arrival.ts';
import { storeJudgement, type Settlement } from './settle-screening.ts';

export interface NativeDelivery {
  tenantId: string;
  id: string;
  receiverTenantId: string;
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
export type JudgeArrival = (arriving: OpenTransaction) => Promise<Settlement | null>;

/** More changes of lists, rules or records than that in a row: then the message is screened after it has arrived. */
const MAX_JUDGEMENTS = 3;
/** A new version of a list is loaded within a second or so. */
const STALE_PAUSE_MS = 300;

/**
 * Delivers an outgoing message to another tenant of this deployment. Both records with the receiver's verdict, both
 * event logs, both webhooks and the message pair are written in one transaction; the verdict is made before it and
 * counts only if nothing it rests on has changed. A second call changes nothing. Null when the record is gone or no
 * longer waits for delivery, for example because it is overdue.
 */
export async function deliverNative(
  db: Database,
  delivery: NativeDelivery,
  judge: JudgeArrival,
): Promise<DeliveredMessage | null> {
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

/** A planned arrival and the receiver's verdict on it. */
interface JudgedArrival {
  plan: ArrivalPlan;
  settlement: Settlement;
}

/** The verdict on the record that the delivery would write; null where it cannot be made now. */
async function judgeArrival(
  db: Database,
  { tenantId, id, receiverTenantId, now }: NativeDelivery,
  judge: JudgeArrival,
): Promise<JudgedArrival | null> {
  const outgoing = await findOpenTransaction(db, tenantId, id);
  if (!outgoing || !isDeliverable(outgoing.record, now)) return null;
  const plan = await planArrival(db, db.pool, {
    sent: outgoing.record,
    receiverTenantId,
    detects: false,
    now,
  });
  const { after } = plan.received;
  if (after.sealed || !needsScreening(after)) return null;
  // The version that is stored with the arrival.
  const version = plan.completed ? after.version + 1 : after.version;
  const settlement = await judge({ ...plan.open, record: { ...after, version } });
  return settlement && { plan, settlement };
}

/** Like deliverNative, inside a database transaction and without a verdict: a workflow screens the incoming record. */
export async function deliverUnjudged(
  db: Database,
  tx: pg.PoolClient,
  delivery: NativeDelivery,
): Promise<DeliveredMessage | null> {
  const delivered = await deliverInTransaction(db, tx, delivery, null);
  if (delivered === 'STALE') throw new Error('a delivery without a verdict cannot be stale');
  return delivered;
}

async function deliverInTransaction(
  db: Database,
  tx: pg.PoolClient,
  delivery: NativeDelivery,
  judged: JudgedArrival | null,
): Promise<DeliveredMessage | 'STALE' | null> {
  const { tenantId, id, receiverTenantId, now } = delivery;
  // Taken before any row lock, so that a wallet registered for the destination at the same time either is found here
  // or finds this message.
  await lockDestination(tx, delivery);
  const outgoing = await lockTransaction(db, tx, tenantId, id);
  if (!outgoing || !isDeliverable(outgoing.record, now)) return null;
  const plan = await planArrival(db, tx, { sent: outgoing.record, receiverTenantId, detects: true, now });
  if (judged && !(await isStillValid(tx, judged, plan))) return 'STALE';
  const writes = writesOf(outgoing, plan, { judged, now });
  const { records, outbox } = await writeChanges(db, tx, writes, now);
  await insertPair(tx, writes, now);
  if (judged) await storeJudgement(tx, judged.settlement);
  const [record, incoming] = records;
  if (!record || !incoming) throw new Error('a record of the pair was not written');
  return { record, incoming, outbox };
}

async function isStillValid(tx: Queryable, judged: JudgedArrival, plan: ArrivalPlan): Promise<boolean> {
  return isSameArrival(judged.plan, plan) && (await isCurrentBasis(tx, judged.settlement.basis));
}

type BothWrites = [outgoing: TransactionWrite, incoming: TransactionWrite];

/**
 * The writes of both records. A judged arrival is written as it was judged: its screening is sealed with its key. What
 * still has to happen to it, such as the end of a rule's wait, is for its own workflow.
 */
function writesOf(
  outgoing: OpenTransaction,
  fresh: ArrivalPlan,
  { judged, now }: { judged: JudgedArrival | null; now: Date },
): BothWrites {
  const plan = judged?.plan ?? fresh;
  const { delivered, received } = judged
    ? decidedArrival(plan.delivered, plan.received, judged.settlement.verdict, judged.settlement.now)
    : plan;
  const forwarded = sentData(outgoing.record);
  const wakesWorkflow = received.wakesWorkflow || planOf(received.after, now).step !== 'DONE';
  return [
    { open: outgoing, change: delivered, isNew: false, forwarded },
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

async function lockDestination(tx: Queryable, { tenantId, id }: NativeDelivery): Promise<void> {
  const { rows } = await tx.query<{ destination_normal: string }>(
    'select destination_normal from transactions where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  await shareRoutes(
    tx,
    rows.map((row) => destinationRoute(row.destination_normal)),
  );
}

async function insertPair(tx: Queryable, [outgoing, incoming]: BothWrites, now: Date): Promise<void> {
  const { after: sent } = outgoing.change;
  const { after: received } = incoming.change;
  const outcome = isFinal(sent.status) ? sent.status : null;
  await tx.query(
    `insert into message_pairs (id, outgoing_tenant_id, outgoing_id, incoming_tenant_id, incoming_id, outcome, created_at, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [sent.pairId, sent.tenantId, sent.id, received.tenantId, received.id, outcome, now, outcome && now],
  );
}
