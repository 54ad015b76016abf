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
  await takeLocks(tx, routes, 'EXCLUSIVE');
}

/**
 * Lets a delivery to these routes run beside others, but not beside a registration that may change its receiver, until
 * the end of the transaction.
 */
export async function shareRoutes(tx: Queryable, routes: readonly string[]): Promise<void> {
  await takeLocks(tx, routes, 'SHARED');
}

const LOCKS = { EXCLUSIVE: 'pg_advisory_xact_lock', SHARED: 'pg_advisory_xact_lock_shared' } as const;

/** Always in the same order, so that two who need the same routes do not wait for each other. */
async function takeLocks(tx: Queryable, routes: readonly string[], mode: keyof typeof LOCKS): Promise<void> {
  await tx.query({
    name: `lock-routes-${mode}`,
    text: `select pg_advisory_xact_lock_shared(hashtextextended('routes', 0))
           union all select ${LOCKS[mode]}(hashtextextended(route, 0)) from unnest($1::text[]) as route`,
    values: [[...routes].sort().map((route) => `route:${route}`)],
  });
}

export const destinationRoute = (destinationNormal: string) => `destination:${destinationNormal}`;
export const vaspRoute = (vaspFolded: string) => `vasp:${vaspFolded}`;

/** Locks every route: every delivery and registration waits for the end of the transaction. */
export async function lockAllRoutes(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('routes', 0))`);
}
