import { endOfAccess } from './end-of-access.ts';
import type { PatchUserBody } from './schema.ts';
import type { UserRecord } from './user.ts';

/** A user after a change by an administrator. Throws validation_failed if role and end of access do not fit. */
export function patchUser(user: UserRecord, patch: PatchUserBody, now: Date): UserRecord {
  const role = patch.role ?? user.role;
  return {
    ...user,
    name: patch.name === undefined ? user.name : patch.name,
    role,
    expiresAt: expiryAfter(user, patch, now),
    disabledAt: disabledAfter(user, patch, now),
    hasSecondFactor: patch.hasSecondFactor ?? user.hasSecondFactor,
    updatedAt: now,
  };
}

/** An end that is not mentioned stays, and goes with the role of an auditor. */
function expiryAfter(
  user: UserRecord,
  { role = user.role, expiresAt }: PatchUserBody,
  now: Date,
): Date | null {
  if (expiresAt !== undefined) return endOfAccess(role, expiresAt, now);
  if (role === user.role) return user.expiresAt;
  return endOfAccess(role, null, now);
}

function disabledAfter({ disabledAt }: UserRecord, { disabled }: PatchUserBody, now: Date): Date | null {
  if (disabled === undefined) return disabledAt;
  return disabled ? (disabledAt ?? now) : null;
}
