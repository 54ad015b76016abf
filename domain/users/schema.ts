import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { clearable, text } from '../schema-fields.ts';
import { ROLES } from '../tenants/role.ts';
import { EmailAddress } from './email-address.ts';
import { GivenPassword, NewPassword } from './password.ts';
import type { UserRecord } from './user.ts';

const Code = text(20);

export const SignInBody = z
  .strictObject({
    email: EmailAddress.describe('In any case of letters.'),
    password: GivenPassword,
    code: Code.optional().describe(
      'Of the second factor, if the user has one: of the app, or a recovery code.',
    ),
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

export const InviteUserBody = z
  .strictObject({
    email: EmailAddress.describe('ASCII; unique in the deployment, in any case of letters.'),
    name: Name.nullable().optional().describe('Shown beside what the user decides.'),
    role: z.enum(ROLES),
    expiresAt: Timestamp.nullable()
      .optional()
      .describe('When the access of an AUDITOR ends, at most 90 days ahead; other roles have none.'),
  })
  .meta({ id: 'InviteUser' });
export type InviteUserBody = z.output<typeof InviteUserBody>;

/** The first user of a new tenant. */
export const NewAdmin = InviteUserBody.pick({ email: true, name: true }).meta({ id: 'NewAdmin' });
export type NewAdmin = z.output<typeof NewAdmin>;

/** The fields of a user that an administrator may change. */
export const PatchUserBody = z
  .strictObject({
    name: clearable(Name),
    role: z.enum(ROLES).optional().describe('Counts from the next request on.'),
    expiresAt: clearable(Timestamp).describe('When the access of an AUDITOR ends, at most 90 days ahead.'),
    disabled: z.boolean().optional().describe('True ends all sessions of the user, and none begins.'),
    hasSecondFactor: z
      .literal(false)
      .optional()
      .describe('False removes the second factor of a user who has lost it.'),
  })
  .meta({ id: 'PatchUser' });
export type PatchUserBody = z.output<typeof PatchUserBody>;

export const ChangePasswordBody = z
  .strictObject({ currentPassword: GivenPassword, password: NewPassword })
  .meta({ id: 'ChangePassword' });

/** Shows again who is there, before something that a stolen access token must not do. */
export const PasswordBody = z
  .strictObject({ currentPassword: GivenPassword })
  .meta({ id: 'CurrentPassword' });

export const CodeBody = z.strictObject({ code: Code }).meta({ id: 'SecondFactorCode' });

const LinkToken = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .describe('The text behind `#` in the link of the mail.');

export const SetPasswordBody = z
  .strictObject({
    token: LinkToken,
    password: NewPassword,
    code: Code.optional().describe('Of the second factor, if the user has one.'),
  })
  .meta({ id: 'SetPassword' });

export const PasswordResetBody = z
  .strictObject({ email: EmailAddress.describe('In any case of letters.') })
  .meta({ id: 'PasswordReset' });

export const SecondFactorSetup = z
  .strictObject({
    secret: z.string().describe('Base32, to be typed into the app.'),
    uri: z.string().describe('`otpauth://totp/…`, to be shown to the app as a QR code.'),
  })
  .meta({ id: 'SecondFactorSetup' });

export const RecoveryCodes = z
  .strictObject({
    recoveryCodes: z.array(z.string()).describe('Ten; each counts once, where a code is asked for.'),
  })
  .meta({ id: 'RecoveryCodes' });

export const User = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    expiresAt: z.iso.datetime().nullable().describe('When the access of an AUDITOR ends.'),
    disabledAt: z.iso.datetime().nullable().describe('When an administrator blocked the user.'),
    hasSecondFactor: z.boolean().describe('Whether signing in needs a code, too.'),
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
    hasSecondFactor: user.hasSecondFactor,
    lastSignInAt: timeOf(user.lastSignInAt),
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
