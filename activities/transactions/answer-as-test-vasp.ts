import type pg from 'pg';
import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import { findTestReceiver, type TestReceiver } from '../../db/lifecycle/find-test-receiver.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { changeInTransaction, untilPaired } from '../../db/transactions/change-transaction.ts';
import { insertForgedDelivery } from '../../db/webhooks/insert-test-delivery.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { answersAt, testVaspAnswer } from '../../domain/transactions/test-vasps/test-vasp-answer.ts';
import { returnMessage } from '../../domain/transactions/test-vasps/return-message.ts';
import type { StepDeps } from './transaction-step.ts';

/** Whether a test VASP has changed something, or when it will. */
export interface TestVaspTurn {
  hasAnswered: boolean;
  /** The time of an answer that is still to come. */
  answersAt: Date | null;
}

const NO_TURN: TestVaspTurn = { hasAnswered: false, answersAt: null };

/**
 * Responds on the record of the test VASP that received the message. A repeat does nothing, nor does a message that no
 * test VASP has received, or that has its answer.
 */
export async function answerAsTestVasp(
  { db, now, notifyWorkflows }: StepDeps,
  id: string,
): Promise<TestVaspTurn> {
  const receiver = await findTestReceiver(db.pool, id);
  if (!receiver) return NO_TURN;
  const at = now();
  const due = answersAt(receiver.behaviour, receiver.receivedAt);
  if (due > at) return { hasAnswered: false, answersAt: due };
  const outbox = await untilPaired(db, async (tx) => await respond(db, tx, receiver, at));
  notifyWorkflows(outbox);
  return { hasAnswered: outbox.length > 0, answersAt: null };
}

/** The answer and what else follows from it, together; undefined when the record was paired meanwhile. */
async function respond(
  db: Database,
  tx: pg.PoolClient,
  receiver: TestReceiver,
  now: Date,
): Promise<OutboxEntry[] | undefined> {
  const { tenantId, id, behaviour } = receiver;
  const changed = await changeInTransaction(db, tx, {
    tenantId,
    id,
    now,
    decide: (own, counterpart) => testVaspAnswer(own, counterpart, behaviour, now),
  });
  const sent = changed?.counterpart;
  if (!sent || changed.outbox.length === 0) return changed?.outbox;
  if (behaviour === 'SENDS') return [...changed.outbox, ...(await sendBack(db, tx, { receiver, sent, now }))];
  if (behaviour !== 'FORGES') return changed.outbox;
  const keys = await db.vault.tenantKeys(sent.tenantId);
  return [...changed.outbox, ...(await insertForgedDelivery(tx, keys, sent.tenantId, now))];
}

interface ReturnInput {
  receiver: TestReceiver;
  sent: TransactionRecord;
  now: Date;
}

async function sendBack(
  db: Database,
  tx: pg.PoolClient,
  { receiver, sent, now }: ReturnInput,
): Promise<OutboxEntry[]> {
  const message = returnMessage(sent, {
    id: newId(now),
    testVasp: { id: receiver.tenantId, name: receiver.name },
    now,
  });
  // The workflow of the record screens it.
  const delivery = { ...message, receiverTenantId: sent.tenantId, judged: null, now };
  return (await deliverNewMessage(db, tx, delivery)).outbox;
}
