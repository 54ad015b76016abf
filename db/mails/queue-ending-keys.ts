import { inTransaction } from '../postgres.ts';
import type { Database } from '../database.ts';
import { queueNotice } from './queue-notice.ts';

const DAYS = 14;
const KEYS_AT_ONCE = 100;

interface EndingKey {
  id: string;
  tenant_id: string;
  name: string | null;
  expires_at: Date;
}

/**
 * Queues a mail for each API key that ends within 14 days, once. A key that was made for a shorter time needs none: whoever
 * made it knows. Returns the number of keys that have none yet, those of tenants without a recipient included.
 */
export async function queueEndingKeys(db: Database, now: Date): Promise<number> {
  let seen = 0;
  let afterId = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const keys = await listEndingKeys(db, afterId, now);
    for (const key of keys) await queueEndingKey(db, key, now);
    seen += keys.length;
    const last = keys.at(-1);
    if (!last || keys.length < KEYS_AT_ONCE) return seen;
    afterId = last.id;
  }
}

async function listEndingKeys({ pool }: Database, afterId: string, now: Date): Promise<EndingKey[]> {
  const { rows } = await pool.query<EndingKey>(
    `select id, tenant_id, name, expires_at from api_keys k
     where id > $1 and revoked_at is null and expires_at > $2
       and expires_at <= $2::timestamptz + make_interval(days => $3)
       and created_at <= expires_at - make_interval(days => $3)
       and not exists (select from mails m where m.tenant_id = k.tenant_id and m.kind = 'KEY_ENDING' and m.once = k.id::text)
     order by id limit $4`,
    [afterId, now, DAYS, KEYS_AT_ONCE],
  );
  return rows;
}

async function queueEndingKey(db: Database, key: EndingKey, now: Date): Promise<void> {
  const { id, tenant_id: tenantId, name, expires_at: expiresAt } = key;
  await db.vault.tenantKeys(tenantId);
  const notice = { kind: 'KEY_ENDING' as const, keyId: id, keyName: name, expiresAt };
  await inTransaction(db.pool, async (tx) => await queueNotice(db, tx, { tenantId, notice, once: id, now }));
}
