import { addMs, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import type { AuditEntry } from '../../domain/audit/schema.ts';
import { auditRound } from '../../worker/audit-loop.ts';
import type { TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import type { Client } from './tenant.ts';

/** What the worker does with the audit logs until nothing is left to do at that moment. */
export async function chainWhatIsClosed({ db }: TestApi, now = new Date()): Promise<void> {
  while (await auditRound({ db, now: () => now }));
}

/** Chains all entries, once no transaction of the server is open that began before them, those of other tests included. */
export async function chainAll(api: TestApi, now = new Date()): Promise<void> {
  const waiting = async () =>
    await api.db.pool.query(
      'select from audit_entries where (epoch, xid) >= (present_feed_epoch(), pg_snapshot_xmin(pg_current_snapshot()))',
    );
  await eventually(waiting, ({ rowCount }) => rowCount === 0);
  await chainWhatIsClosed(api, now);
}

/** When the counts of the present hour become entries. */
export const nextHour = (): Date => addMs(new Date(), HOUR_MS + 6 * MINUTE_MS);

/** A page of the audit log of the tenant behind `client`. */
export const auditLog = async (client: Pick<Client, 'get'>, query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await client.get<AuditEntry[]>(`/tenant/me/audit-log${query}`);
  if (status !== 200) throw new Error(`the audit log was refused: ${JSON.stringify(body)}`);
  return body;
};
