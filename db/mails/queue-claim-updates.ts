import type { ClaimRecord } from '../../domain/claims/record.ts';
import { claimUpdateMail } from '../../domain/mails/portal-claim-mails.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { queueUpdate, type OpenedLink } from './queue-update.ts';

interface OpenedRow extends OpenedLink {
  claim_id: string;
}

/**
 * Queues mails that tell VASPs on no network of claims that they have opened: that an answer is still waited for, or no more.
 * One in an hour for each claim and status. `records` are those of the gateway.
 */
export async function queueClaimUpdates(
  db: Pick<Database, 'vault'>,
  tx: Queryable,
  records: readonly ClaimRecord[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (records.length === 0) return [];
  const { rows } = await tx.query<OpenedRow>(
    `select distinct on (l.claim_id) l.id, l.tenant_id, l.claim_id, l.address, t.name as tenant_name
     from portal_links l join tenants t on t.id = l.tenant_id
     where l.claim_id = any($1::uuid[]) order by l.claim_id, l.created_at desc, l.id desc`,
    [records.map(({ counterpartId }) => counterpartId)],
  );
  const outbox: OutboxEntry[] = [];
  for (const link of rows) {
    const { claim_id: claimId } = link;
    const status = records.find(({ counterpartId }) => counterpartId === claimId)?.status ?? '';
    const update = { link, about: `${claimId} ${status}`, contentOf: claimUpdateMail, now };
    outbox.push(...(await queueUpdate(db, tx, update)));
  }
  return outbox;
}
