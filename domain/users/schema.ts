import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { clearable, text } from '../schema-fields.ts';
import { ROLES } from '../tenants/role.ts';
import { EmailAddress } from './email-address.ts';
import { GivenPassword, NewPassword } from './password.ts';
import type { UserRecord } from './user.ts';

export const SignInBody = z
  .strictObject({
    email: EmailAddress.describe('In any case of letters.'),
    password: GivenPassword,
  })
  .meta({ id: 'SignIn' });

const Name = text(200).transform((given) => given.trim());

export const CreateUserBody = z
  .strictObject({
    email: EmailAddress.describe('ASCII; unique in the deployment, in any case of letters.'),
    password: NewPassword,
    name: Name.nullable().optional().describe('Shown beside what the user decides.'),
    role: z.enum(ROLES).default('ADMIN'),
    expiresAt: Timestamp.nullable()
      .optional()
      .describe('When the access of an AUDITOR ends, at most 90 days ahead; other roles have none.'),
  })
  .meta({ id: 'CreateUser' });
export type CreateUserBody = z.output<typeof CreateUserBody>;

/** What an administrator may change of a user. */
export const PatchUserBody = z
  .strictObject({
    name: clearable(Name),
    role: z.enum(ROLES).optional().describe('Counts from the next request on.'),
    expiresAt: clearable(Timestamp).describe('When the access of an AUDITOR ends, at most 90 days ahead.'),
    disabled: z.boolean().optional().describe('True ends all sessions of the user, and none begins.'),
  })
  .meta({ id: 'PatchUser' });
export type PatchUserBody = z.output<typeof PatchUserBody>;

export const ChangePasswordBody = z
  .strictObject({ currentPassword: GivenPassword, password: NewPassword })
  .meta({ id: 'ChangePassword' });

export const User = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    expiresAt: z.iso.datetime().nullable().describe('When the access of an AUDITOR ends.'),
    disabledAt: z.iso.datetime().nullable().describe('When an administrator blocked the user.'),
    lastSignInAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof User>;

/** The answer to a sign-in, a refresh and the creation of a user. */
export const SignedIn = z
  .strictObject({
    accessToken: z.string().describe('A JWT for `Authorization: Bearer`; valid for `expiresIn` seconds.'),
    refreshToken: z.string().describe('For `GET /auth/refresh`, once; valid for 24 hours.'),
    expiresIn: z.int().describe('Seconds until the access token ends.'),
    user: User,
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof SignedIn>;

/** The query of `GET /users`. */
export const ListUsersQuery = listQuery({
  sortable: ['createdAt', 'lastSignInAt', 'role'],
  filters: { _role: oneOrMore(z.enum(ROLES)) },
});
export type UserList = z.output<typeof ListUsersQuery>;

export function viewUser(user: UserRecord): User {
  const timeOf = (date: Date | null) => date?.toISOString() ?? null;
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    expiresAt: timeOf(user.expiresAt),
    disabledAt: timeOf(user.disabledAt),
    lastSignInAt: timeOf(user.lastSignInAt),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
