import type { Role } from '../../domain/tenants/role.ts';
import type { MailContent } from '../../domain/mails/mail.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import type { Json, TestApi } from '../api-client.ts';
import type { Client } from './tenant.ts';
import { createUser, type TestUser } from './user.ts';

/** A user who has set their password by a mailed link, as four eyes ask for. */
export async function createPerson(
  api: TestApi,
  admin: Pick<Client, 'post'>,
  role: Role = 'COMPLIANCE',
  overrides: Json = {},
): Promise<TestUser> {
  const user = await createUser(api, admin, role, overrides);
  await api.db.pool.query('update users set proven_at = now() where id = $1', [user.user.id]);
  return user;
}

/** Switches four eyes on, with two new people who can agree. */
export async function useFourEyes(
  api: TestApi,
  tenant: Pick<Client, 'post' | 'patch'>,
  fourEyes: Record<string, true>,
): Promise<[TestUser, TestUser]> {
  const people: [TestUser, TestUser] = [
    await createPerson(api, tenant, 'ADMIN'),
    await createPerson(api, tenant, 'ADMIN'),
  ];
  const { status, body } = await tenant.patch('/tenant/me/settings', { fourEyes });
  if (status !== 200) throw new Error(`four eyes are not on: ${JSON.stringify(body)}`);
  return people;
}

/** Switches four eyes off for what follows, as if two people had. */
export async function stopFourEyes(api: TestApi, { id }: { id: string }): Promise<void> {
  await api.db.pool.query("update tenants set settings = settings - 'fourEyes' where id = $1", [id]);
}

/** The token of the latest link that was mailed to a user. */
export async function mailedToken(api: TestApi, email: string): Promise<string> {
  const { rows } = await api.db.pool.query<{ id: string; tenant_id: string; content: Buffer }>(
    'select id, tenant_id, content from mails where content is not null order by created_at desc, id desc',
  );
  for (const { id, tenant_id: tenantId, content } of rows) {
    const keys = await api.db.vault.tenantKeys(tenantId);
    const mail = keys.open<MailContent>(sealingContext.mail.content(tenantId, id), content);
    if (mail.to === email) return /\/password#([\w-]{43})\s/.exec(mail.text)?.[1] ?? '';
  }
  throw new Error('nothing was mailed');
}

/** A proposal that no call has made: only its row is of use. */
export async function insertProposal(api: TestApi, tenantId: string): Promise<string> {
  const { rows } = await api.db.pool.query<{ id: string }>(
    `insert into proposals (id, tenant_id, kind, subject_id, detail, basis, proposed_by_kind, proposed_by, status, created_at,
       expires_at)
     values (gen_random_uuid(), $1, 'SUPPRESSION', gen_random_uuid(), '', '', 'API_KEY', gen_random_uuid(), 'WAITING', now(),
       now() + interval '1 day') returning id`,
    [tenantId],
  );
  return rows[0]?.id ?? '';
}
