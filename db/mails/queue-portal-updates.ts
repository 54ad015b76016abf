import { updateMail } from '../../domain/mails/portal-mails.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { queueUpdate, type OpenedLink } from './queue-update.ts';

interface OpenedRow extends OpenedLink {
  incoming_id: string;
}

/**
 * Queues mails that tell VASPs on no network of changes of messages that they have opened, in the transaction of the changes: one
 * in an hour for each message and status, since tenants change data as often as they like. `records` are those of the gateway.
 */
export async function queuePortalUpdates(
  db: Pick<Database, 'vault'>,
  tx: Queryable,
  records: readonly TransactionRecord[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (records.length === 0) return [];
  const { rows } = await tx.query<OpenedRow>(
    `select distinct on (p.incoming_id) l.id, l.tenant_id, p.incoming_id, l.address, t.name as tenant_name
     from message_pairs p join portal_links l on l.tenant_id = p.outgoing_tenant_id and l.transaction_id = p.outgoing_id
       join tenants t on t.id = l.tenant_id
     where p.incoming_id = any($1::uuid[]) order by p.incoming_id, l.created_at desc, l.id desc`,
    [records.map(({ id }) => id)],
  );
  const outbox: OutboxEntry[] = [];
  for (const link of rows) {
    const { incoming_id: messageId } = link;
    const about = `${messageId} ${records.find(({ id }) => id === messageId)?.status ?? ''}`;
    outbox.push(...(await queueUpdate(db, tx, { link, about, contentOf: updateMail, now })));
  }
  return outbox;
}
