import { COUNTERPARTY } from '../../domain/events/actor.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { changeTransaction } from '../transactions/change-transaction.ts';

interface Reading {
  /** The gateway, and its record. */
  tenantId: string;
  id: string;
  now: Date;
}

/**
 * Notes that a VASP outside has read the personal data of a message: on its own record every time, on the tenant's once for
 * every version of the data, so that a reader that polls does not fill the tenant's log. Returns the record as it was read.
 */
export async function logReading(db: Database, { tenantId, id, now }: Reading): Promise<TransactionRecord> {
  const { record } = await changeTransaction(db, {
    tenantId,
    id,
    now,
    decide: (own) => ({ own: read(own, now), counterpart: null, forwarded: null }),
    complete: async (tx, decided, { counterpart }) =>
      counterpart && !(await isKnownReading(tx, counterpart))
        ? { ...decided, counterpart: read(counterpart, now) }
        : decided,
  });
  return record;
}

function read(record: TransactionRecord, now: Date): RecordChange {
  const message = 'The counterparty has read the personal data.';
  return {
    after: { ...record, updatedAt: now },
    events: [{ type: 'DATA_READ', message, actor: COUNTERPARTY }],
    notify: false,
    wakesWorkflow: false,
  };
}

/** Whether the data has been read since it was sent or changed. */
async function isKnownReading(tx: Queryable, { tenantId, id }: TransactionRecord): Promise<boolean> {
  const { rows } = await tx.query<{ type: string }>(
    `select type from events where tenant_id = $1 and subject_id = $2
       and type in ('DATA_READ', 'DELIVERED', 'DATA_UPDATED', 'RECEIVED')
     order by sequence desc limit 1`,
    [tenantId, id],
  );
  return rows[0]?.type === 'DATA_READ';
}
