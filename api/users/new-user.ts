import { newId } from '../../db/new-id.ts';
import { endOfAccess } from '../../domain/users/end-of-access.ts';
import type { InviteUserBody } from '../../domain/users/schema.ts';
import type { UserRecord } from '../../domain/users/user.ts';

/** A user as they are made. Throws validation_failed if role and end of access do not fit. */
export function newUser(body: InviteUserBody, tenantId: string, now: Date): UserRecord {
  return {
    id: newId(now),
    tenantId,
    email: body.email,
    name: body.name ?? null,
    role: body.role,
    expiresAt: endOfAccess(body.role, body.expiresAt ?? null, now),
    disabledAt: null,
    hasSecondFactor: false,
    lastSignInAt: null,
    createdAt: now,
    updatedAt: now,
  };
}
