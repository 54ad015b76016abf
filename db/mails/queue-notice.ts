import { noticeMail, type UserNotice } from '../../domain/mails/notice.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { toUsers, USER_COLUMNS, type UserRow } from '../users/user-row.ts';
import { queueMail } from './queue-mail.ts';

/** Mails of one kind to one tenant in 24 hours: the address may be of somebody who has never asked for them. */
const PER_DAY = 20;
const ADMINISTRATORS = 20;

interface NewNotice {
  tenantId: string;
  notice: UserNotice;
  /** The event: it is told once. */
  once: string;
  now: Date;
}

/**
 * Queues a mail to the tenant in the transaction of what it tells: to the e-mail address of the tenant as it is stored now, or
 * to its administrators if it has none. Queues nothing if there are none either. Load the tenant's keys first: loading needs a
 * second connection.
 */
export async function queueNotice(
  db: Database,
  tx: Queryable,
  { tenantId, notice, once, now }: NewNotice,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<{ name: string; email: string | null; sent: number }>(
    `select name, email, (select count(*)::int from mails m where m.tenant_id = t.id and m.kind = $2
       and m.once is not null and m.created_at > $3::timestamptz - interval '1 day') as sent
     from tenants t where id = $1`,
    [tenantId, notice.kind, now],
  );
  const tenant = rows[0];
  if (!tenant || tenant.sent >= PER_DAY) return [];
  const recipients = tenant.email === null ? await administratorsOf(db, tx, tenantId) : [tenant.email];
  if (recipients.length === 0) return [];
  const content = { to: recipients.join(', '), ...noticeMail(tenant.name, notice) };
  return await queueMail(db, tx, { tenantId, kind: notice.kind, content, once, now });
}

/** The e-mail addresses of users who may administer and have a password, the first ones of the tenant. */
async function administratorsOf(db: Database, tx: Queryable, tenantId: string): Promise<string[]> {
  const { rows } = await tx.query<UserRow>(
    `select ${USER_COLUMNS} from users u
     where u.tenant_id = $1 and u.role = 'ADMIN' and u.disabled_at is null and u.password_hash is not null
     order by u.created_at, u.id limit $2`,
    [tenantId, ADMINISTRATORS],
  );
  return (await toUsers(db, tenantId, rows)).map(({ email }) => email);
}
