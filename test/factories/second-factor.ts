import { Secret, TOTP } from 'otpauth';
import type pg from 'pg';
import { PASSWORD, type TestUser } from './user.ts';

interface Factor {
  secret: string;
  recoveryCodes: string[];
}

/** As an authenticator app shows it, so many steps of 30 s from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/**
 * Switches a second factor on as if by the code of the step before, so that the current one still counts. That code itself would be
 * too old where a step ends before it arrives.
 */
export async function switchOnFactor(pool: pg.Pool, user: TestUser): Promise<Factor> {
  const path = '/users/me/second-factor';
  const { body: setup } = await user.post<{ secret: string }>(path, { currentPassword: PASSWORD });
  const code = codeOf(setup.secret);
  const { status, body } = await user.post<{ recoveryCodes: string[] }>(`${path}/confirm`, { code });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await pool.query('update users set second_factor_step = second_factor_step - 1 where id = $1', [
    user.user.id,
  ]);
  return { ...setup, ...body };
}
