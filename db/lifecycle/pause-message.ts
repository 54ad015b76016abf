import { DomainError } from '../../domain/errors.ts';
import { NO_CHANGE } from '../../domain/transactions/change.ts';
import { pause, resume } from '../../domain/transactions/lifecycle/pause.ts';
import { nextRouting } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isBrakeOver, keepBrakeOn } from '../brakes/find-brake.ts';
import { countResumed } from '../brakes/take-up.ts';
import type { Database } from '../database.ts';
import { inTransaction } from '../postgres.ts';
import { changeTransaction, type ChangedTransaction } from '../transactions/change-transaction.ts';
import { lockTransaction } from '../transactions/find-transaction.ts';
import { putOff } from '../transactions/put-off.ts';

/** A brake holds the message back: it waits, or may be sent again later. Whose brake it is is nobody's business. */
export class MessagePaused extends DomainError {
  readonly brakeId: string;

  constructor(brakeId: string) {
    super('temporarily_unavailable', 'The message cannot be taken now; try again later.');
    this.brakeId = brakeId;
  }
}

type MessageRef = Pick<TransactionRecord, 'tenantId' | 'id'>;

/** Lets an unsent message wait for the end of a brake, unless that has ended. */
export async function pauseMessage(
  db: Database,
  { tenantId, id }: MessageRef,
  brakeId: string,
  now: Date,
): Promise<ChangedTransaction> {
  return await changeTransaction(db, {
    tenantId,
    id,
    now,
    decide: (own) => pause(own, brakeId, now),
    complete: async (tx, decided) => ((await keepBrakeOn(tx, brakeId)) ? decided : NO_CHANGE),
  });
}

/** Takes a message up again that waits for the end of this brake. */
export async function resumeMessage(
  db: Database,
  { tenantId, id }: MessageRef,
  brakeId: string,
  now: Date,
): Promise<ChangedTransaction> {
  return await changeTransaction(db, {
    tenantId,
    id,
    now,
    decide: (own) => resume(own, brakeId, now),
    also: async (tx) => await countResumed(tx, brakeId, { resumed: 1, isDone: false, now }),
  });
}

/** Takes a message up again whose brake is over, or lets it look again tomorrow: its release is another workflow's. */
export async function checkBrake(
  db: Database,
  record: TransactionRecord,
  now: Date,
): Promise<ChangedTransaction> {
  const { pausedBy } = record;
  if (pausedBy !== null && (await isBrakeOver(db.pool, pausedBy)))
    return await resumeMessage(db, record, pausedBy, now);
  return await inTransaction(db.pool, async (tx) => {
    const locked = await lockTransaction(db, tx, record.tenantId, record.id);
    if (locked?.record.version !== record.version) return { record, counterpart: null, outbox: [] };
    const wakeAt = nextRouting(locked.record, now);
    return {
      record: await putOff(tx, locked.record, { wakeAt, screenAgain: false }),
      counterpart: null,
      outbox: [],
    };
  });
}
