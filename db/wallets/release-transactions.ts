import { release } from '../../domain/transactions/lifecycle-changes.ts';
import type { Database, Queryable } from '../database.ts';
import type { Poke } from '../outbox.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS, type TransactionRow } from '../transactions/row.ts';
import { writeChanges, type Write } from '../transactions/write-changes.ts';

// The rule of a registry hit (match-wallet.ts) read from the wallet's side. A message that the wallet was detected for
// belongs to it whatever the rule says.
const FITS = `t.destination_wallet_id = w.id or (
  t.destination_normal = w.address_normal and (t.blockchain_key is null or t.blockchain_key = w.blockchain_key)
  and (w.tag is null or w.tag = t.destination_tag) and (w.asset = '*' or upper(w.asset) = upper(t.asset)))`;

/**
 * Shows a tenant the personal data of the messages that wait for a wallet which is confirmed now, and sends their
 * webhooks again. Runs in the transaction that confirms the wallet.
 */
export async function releaseTransactions(
  db: Database,
  tx: Queryable,
  wallet: { tenantId: string; id: number },
  now: Date,
): Promise<Poke[]> {
  const { rows } = await tx.query<TransactionRow>(
    `select ${READ_COLUMNS} from transactions where id in (
       select t.id from transactions t join wallets w on w.tenant_id = t.tenant_id and w.id = $2
       where t.tenant_id = $1 and t.sealed and t.direction = 'INCOMING' and t.deleted_at is null and (${FITS}))
     order by id for update`,
    [wallet.tenantId, wallet.id],
  );
  const writes: Write[] = [];
  for (const row of rows) {
    const open = await openRow(db, row);
    const change = release(open.record, wallet.id, now);
    if (change && !open.record.deletedAt) writes.push({ open, change, isNew: false, forwarded: null });
  }
  return writes.length > 0 ? (await writeChanges(db, tx, writes, now)).pokes : [];
}
