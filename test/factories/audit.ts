import { addMs, HOUR_MS, MINUTE_MS } from '../../domain/durations.ts';
import type { AuditEntry } from '../../domain/audit/schema.ts';
import { auditRound } from '../../worker/audit-loop.ts';
import type { TestApi } from '../api-client.ts';
import type { Client } from './tenant.ts';

/** What the worker does with the audit logs until nothing is left to do at that moment. */
export async function chainAll({ db }: TestApi, now = new Date()): Promise<void> {
  while (await auditRound({ db, now: () => now }));
}

/** When the counts of the present hour become entries. */
export const nextHour = (): Date => addMs(new Date(), HOUR_MS + 6 * MINUTE_MS);

/** A page of the audit log of the tenant behind `client`. */
export const auditLog = async (client: Pick<Client, 'get'>, query = ''): Promise<AuditEntry[]> => {
  const { status, body } = await client.get<AuditEntry[]>(`/tenant/me/audit-log${query}`);
  if (status !== 200) throw new Error(`the audit log was refused: ${JSON.stringify(body)}`);
  return body;
};
