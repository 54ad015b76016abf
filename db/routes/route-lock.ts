import type { Queryable } from '../postgres.ts';

/** More separate locks would fill the lock table that the whole server shares. */
const MANY_ROUTES = 64;

/**
 * Serialises "no receiver was found for this message" with "a wallet or tenant that may be its receiver was created",
 * until the end of the transaction. Otherwise each could miss the other and the message would wait for a day. More
 * than 64 routes are locked as one, which blocks everybody: keep that transaction short.
 */
export async function lockRoutes(tx: Queryable, routes: readonly string[]): Promise<void> {
  if (routes.length === 0) return;
  if (routes.length > MANY_ROUTES) {
    await lockAllRoutes(tx);
    return;
  }
  await tx.query(`select pg_advisory_xact_lock_shared(hashtextextended('routes', 0))`);
  for (const route of [...routes].sort()) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`route:${route}`]);
  }
}

export const destinationRoute = (destinationNormal: string) => `destination:${destinationNormal}`;
export const vaspRoute = (vaspFolded: string) => `vasp:${vaspFolded}`;

/** Locks every route: every delivery and registration waits for the end of the transaction. */
export async function lockAllRoutes(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('routes', 0))`);
}
