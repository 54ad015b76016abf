import { anchorEach } from '../records/anchor-heads.ts';
import type { Database } from '../database.ts';

/**
 * Anchors the heads of transactions that have no anchor, as they are: whoever calls this trusts them. Only heads that were
 * written before heads had anchors have none. Returns their number.
 */
export async function anchorTransactions(db: Pick<Database, 'pool' | 'vault'>): Promise<number> {
  return await anchorEach(db, {
    subjectKind: 'TRANSACTION',
    select: `select id, tenant_id, sequence, head from transactions
      where head_mac is null and id > $1 order by id limit $2`,
    update: `update transactions t set head_mac = r.mac
      from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as r(id, head, mac)
      where t.id = r.id and t.head = r.head and t.head_mac is null`,
  });
}
