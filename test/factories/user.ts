import { randomBytes } from 'node:crypto';
import type { Role } from '../../domain/tenants/role.ts';
import type { SignedIn, User } from '../../domain/users/schema.ts';
import type { Json, TestApi } from '../api-client.ts';
import { bearerClient, type Client } from './tenant.ts';

export const PASSWORD = 'slate-Otter-97-harvest';

/** A user of a tenant, with calls by their access token. */
export interface TestUser extends Client, SignedIn {
  email: string;
  user: User;
}

/** A new user of the tenant behind `admin`; `overrides` are fields of the body. */
export async function createUser(
  api: TestApi,
  admin: Pick<Client, 'post'>,
  role: Role = 'ADMIN',
  overrides: Json = {},
): Promise<TestUser> {
  const email = `user-${randomBytes(6).toString('hex')}@alpine.example`;
  const end = role === 'AUDITOR' ? { expiresAt: new Date(Date.now() + 86_400_000).toISOString() } : {};
  const body = { email, password: PASSWORD, role, ...end, ...overrides };
  const answer = await admin.post<SignedIn>('/users', body);
  if (answer.status !== 201) throw new Error(`the user was not made: ${JSON.stringify(answer.body)}`);
  return { ...bearerClient(api, answer.body.accessToken), ...answer.body, email: answer.body.user.email };
}
