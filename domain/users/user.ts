import type { Role } from '../tenants/role.ts';

/** A person who acts for a tenant, decrypted. */
export interface UserRecord {
  id: string;
  tenantId: string;
  /** In lower case; unique in the deployment. */
  email: string;
  name: string | null;
  role: Role;
  /** When the access of an auditor ends; null for other roles. */
  expiresAt: Date | null;
  /** When an administrator has blocked the user. */
  disabledAt: Date | null;
  /** Whether signing in needs a code, too. */
  hasSecondFactor: boolean;
  lastSignInAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** Whether the access of a user has neither been blocked nor ended. */
export function mayComeIn({ disabledAt, expiresAt }: UserRecord, now: Date): boolean {
  return disabledAt === null && (expiresAt === null || expiresAt > now);
}
