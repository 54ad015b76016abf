import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isPassedUnscreened } from '../../domain/transactions/screening-due.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { findLatestScreening } from '../transaction-screenings/get-screening.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { wake } from '../transactions/wake.ts';
import type { OutboxEntry } from '../outbox.ts';

/**
 * Whether a message that a reviewer has let pass would go to another VASP than the one of its latest screening: neither
 * lists nor rules nor the tenant's policy have seen that one, and the reviewer has not either.
 */
export async function hasNewCounterparty(
  db: Database,
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (entityId === null || isPassedUnscreened(open.record)) return false;
  const screening = await findLatestScreening(db, open);
  return screening?.counterparty?.entityId !== (await masterOf(db.pool, entityId));
}

/** The entity that a screening names for this one. */
async function masterOf(db: Queryable, entityId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'master-of-entity',
    text: 'select coalesce(master_entity_id, id) as id from entities where id = $1',
    values: [entityId],
  });
  return rows[0]?.id;
}

/** Wakes a message to be screened and decided like a new one; what a reviewer has released of the lists stays released. */
export async function wakeForNewCounterparty(
  tx: Queryable,
  { tenantId, id, version }: TransactionRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  const where = `t.tenant_id = $2 and t.id = $3 and t.version = $4 and t.direction = 'OUTGOING' and t.status = 'PENDING'
    and t.deleted_at is null`;
  return await wake(tx, { where, values: [tenantId, id, version] }, { screenAgain: 'ANEW', now });
}
