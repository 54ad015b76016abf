import type { Role } from '../../domain/tenants/role.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface UserRow {
  id: string;
  tenant_id: string;
  personal: Buffer;
  role: Role;
  expires_at: Date | null;
  disabled_at: Date | null;
  second_factor_since: Date | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** The encrypted data of a user. */
interface UserPersonal {
  email: string;
  name: string | null;
}

export const USER_COLUMNS = `u.id, u.tenant_id, u.personal, u.role, u.expires_at, u.disabled_at, u.second_factor_since,
  u.last_sign_in_at,  u.created_at, u.updated_at`;

/** The users of one tenant, in the order of their rows. */
export async function toUsers(db: Database, tenantId: string, rows: UserRow[]): Promise<UserRecord[]> {
  if (rows.length === 0) return [];
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map(({ personal }) => personal),
  );
  return rows.map((row) => toUser(keys, row));
}

/** The name of a user, of their sealed data. */
export function nameOfUser(
  keys: TenantKeys,
  { tenantId, id, sealed }: { tenantId: string; id: string; sealed: Buffer },
): string | null {
  return keys.open<UserPersonal>(sealingContext.user.personal(tenantId, id), sealed).name;
}

export function toUser(keys: TenantKeys, row: UserRow): UserRecord {
  const context = sealingContext.user.personal(row.tenant_id, row.id);
  const { email, name } = keys.open<UserPersonal>(context, row.personal);
  return {
    id: row.id,
    tenantId: row.tenant_id,
    email,
    name,
    role: row.role,
    expiresAt: row.expires_at,
    disabledAt: row.disabled_at,
    hasSecondFactor: row.second_factor_since !== null,
    lastSignInAt: row.last_sign_in_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
