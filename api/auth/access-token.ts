import type { Database } from '../../db/database.ts';
import type { SessionClaims } from '../../db/vault/session-tokens.ts';

export const ACCESS_SECONDS = 3_600;

/** Makes the access token of a session, from now on valid for an hour. */
export async function accessTokenOf(
  { vault }: Pick<Database, 'vault'>,
  claims: SessionClaims,
  now: Date,
): Promise<string> {
  const expiresAt = new Date(now.getTime() + ACCESS_SECONDS * 1_000);
  return await vault.accessTokens.make(claims, { now, expiresAt });
}
