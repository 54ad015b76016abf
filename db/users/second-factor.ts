import { createHash, randomBytes } from 'node:crypto';
import { base32 } from '@scure/base';
import { stepOfCode, type SecondFactor } from '../../domain/users/second-factor.ts';
import type { UserRecord } from '../../domain/users/user.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 50 bits each, in two groups. */
const RECOVERY_CODE = /^([a-z2-7]{5})-?([a-z2-7]{5})$/;

type UserRef = Pick<UserRecord, 'id' | 'tenantId'>;

interface FactorRow {
  second_factor: Buffer | null;
  second_factor_since: Date | null;
  second_factor_step: number | null;
}

/** A user's second factor, with the user locked. */
export interface LockedFactor {
  factor: SecondFactor;
  /** When it was switched on; null until a first code has been given. */
  since: Date | null;
  /** The last step whose code was taken. */
  step: number | null;
}

export function newSecret(): string {
  return base32.encode(randomBytes(SECRET_BYTES));
}

/** New recovery codes; only their hashes are kept. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = base32.encode(randomBytes(SECRET_BYTES)).slice(0, 10).toLowerCase();
    return `${code.slice(0, 5)}-${code.slice(5)}`;
  });
}

export function recoveryHash(code: string): string {
  const [, ...groups] = RECOVERY_CODE.exec(code.trim().toLowerCase()) ?? [];
  return createHash('sha256').update(groups.join('')).digest('hex');
}

/** Locks the user and reads their second factor; null without one. Load the tenant's keys first: loading needs a second connection. */
export async function lockFactor(db: Database, tx: Queryable, user: UserRef): Promise<LockedFactor | null> {
  const { rows } = await tx.query<FactorRow>(
    `select second_factor, second_factor_since, second_factor_step from users
     where tenant_id = $1 and id = $2 for no key update`,
    [user.tenantId, user.id],
  );
  const row = rows[0];
  if (!row?.second_factor) return null;
  const keys = await db.vault.tenantKeys(user.tenantId, [row.second_factor]);
  return {
    factor: keys.open<SecondFactor>(contextOf(user), row.second_factor),
    since: row.second_factor_since,
    step: row.second_factor_step,
  };
}

/** Stores a second factor as it is now. */
export async function storeFactor(
  tx: Queryable,
  user: UserRef,
  { factor, since, step }: LockedFactor,
  keys: TenantKeys,
): Promise<void> {
  await tx.query(
    `update users set second_factor = $3, second_factor_since = $4, second_factor_step = $5
     where tenant_id = $1 and id = $2`,
    [user.tenantId, user.id, keys.seal(contextOf(user), factor), since, step],
  );
}

/** Takes the second factor of a user away. */
export async function removeFactor(tx: Queryable, { tenantId, id }: UserRef): Promise<void> {
  await tx.query(
    `update users set second_factor = null, second_factor_since = null, second_factor_step = null
     where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
}

/** The factor after a code was taken, which counts once; null if the code does not count. */
export function withCodeTaken(locked: LockedFactor, code: string, now: Date): LockedFactor | null {
  const { factor, step: last } = locked;
  const step = stepOfCode(factor.secret, code, now);
  if (step !== null) return last === null || step > last ? { ...locked, step } : null;
  const hash = recoveryHash(code);
  const recoveryHashes = factor.recoveryHashes.filter((each) => each !== hash);
  if (recoveryHashes.length === factor.recoveryHashes.length) return null;
  return { ...locked, factor: { ...factor, recoveryHashes } };
}

function contextOf({ tenantId, id }: UserRef): string {
  return sealingContext.user.secondFactor(tenantId, id);
}
