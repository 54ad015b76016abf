import type { CreatedTenant } from '../../db/tenants/create-tenant.ts';
import { queueMail } from '../../db/mails/queue-mail.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { Queryable } from '../../db/postgres.ts';
import { insertUser } from '../../db/users/insert-user.ts';
import { makeLink } from '../../db/users/user-links.ts';
import type { NewAdmin } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import { invitationMail } from '../auth/user-mails.ts';
import type { Deps } from '../deps.ts';
import { newUser } from '../users/new-user.ts';

interface AdminInvitation {
  /** The tenant, which is made in the same transaction. */
  made: Pick<CreatedTenant, 'tenant' | 'keys'>;
  admin: NewAdmin;
  now: Date;
}

/** Makes the first user of a new tenant, of role ADMIN, and queues the mail with their link. Throws AddressTaken. */
export async function inviteAdmin(
  { db, settings }: Deps,
  tx: Queryable,
  { made: { tenant, keys }, admin, now }: AdminInvitation,
): Promise<{ user: UserRecord; outbox: OutboxEntry[] }> {
  const tenantId = tenant.id;
  const user = newUser({ ...admin, role: 'ADMIN' }, tenantId, now);
  await insertUser(db, tx, { user, keys, passwordHash: null });
  const token = await makeLink(tx, { tenantId, userId: user.id, purpose: 'INVITATION', now });
  const content = invitationMail(settings, { to: user.email, tenantName: tenant.name, token });
  return { user, outbox: await queueMail(db, tx, { tenantId, kind: 'INVITATION', content, keys, now }) };
}
