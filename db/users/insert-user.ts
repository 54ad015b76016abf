import { DomainError } from '../../domain/errors.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { emailHash } from './email-hash.ts';

export interface NewUser {
  user: UserRecord;
  keys: TenantKeys;
  /** Argon2id, as PHC string; null until the user has set a password. */
  passwordHash: string | null;
}

/** Somebody has the e-mail address, of this tenant or of another: the words are the same. */
export class AddressTaken extends DomainError {
  constructor() {
    super('conflict', 'This e-mail address cannot be used for a new user.');
  }
}

/** Stores a new user. Throws AddressTaken if somebody has the e-mail address, of this tenant or of another. */
export async function insertUser(
  db: Database,
  tx: Queryable,
  { user, keys, passwordHash }: NewUser,
): Promise<void> {
  const { id, tenantId, email, name } = user;
  const personal = keys.seal(sealingContext.user.personal(tenantId, id), { email, name });
  try {
    await tx.query(
      `insert into users (id, tenant_id, email_hash, personal, role, password_hash, expires_at, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
      [id, tenantId, emailHash(db, email), personal, user.role, passwordHash, user.expiresAt, user.createdAt],
    );
  } catch (error) {
    if (uniqueViolation(error) !== 'users_email_hash_key') throw error;
    throw new AddressTaken();
  }
}
