import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';

/** Minutes before another worker may take over an analysis. */
const TURN_MINUTES = 10;

/** Queues the analysis of a selfie, in the transaction that stores the selfie. */
export async function awaitAnalysis(
  tx: Queryable,
  { id, tenantId, blockchainKey }: Pick<VerificationRecord, 'id' | 'tenantId' | 'blockchainKey'>,
  now: Date,
): Promise<OutboxEntry[]> {
  await tx.query(
    `insert into selfie_analyses (id, tenant_id, wake_at) values ($1, $2, $3)
     on conflict (id) do update set wake_at = excluded.wake_at`,
    [id, tenantId, now],
  );
  const summary = `Selfie of a verification on ${blockchainKey}`;
  return await insertOutboxEntries(
    tx,
    [{ tenantId, workflow: 'selfieAnalysis', subjectId: id, summary }],
    now,
  );
}

/** Starts a waiting analysis. Returns its tenant; undefined when none waits. */
export async function beginAnalysis(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    `update selfie_analyses set wake_at = now() + interval '${TURN_MINUTES} minutes' where id = $1
     returning tenant_id`,
    [id],
  );
  return rows[0]?.tenant_id;
}

/** Deletes the waiting analysis of a verification. */
export async function endAnalysis(db: Queryable, id: string): Promise<void> {
  await db.query('delete from selfie_analyses where id = $1', [id]);
}
