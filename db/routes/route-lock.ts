import type { Queryable } from '../postgres.ts';

/** The most routes that one transaction locks: the server keeps the locks of all connections in one table. */
export const MAX_ROUTES = 1_000;
/** With more than that, transactions lock one after another, so that together they do not fill that table. */
const MANY_ROUTES = 64;

/**
 * Serialises "no receiver was found for this message" and "this message arrives" with "a wallet or tenant that may be its
 * receiver was created", until the end of the transaction. Otherwise each could miss the other. At most 1,000 routes, and
 * only once in a transaction where it may be more than 64.
 */
export async function lockRoutes(tx: Queryable, routes: readonly string[]): Promise<void> {
  if (routes.length === 0) return;
  if (routes.length > MAX_ROUTES) throw new Error(`${routes.length} routes are too many for one transaction`);
  if (routes.length > MANY_ROUTES) {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('many routes', 0))`);
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
    text: `select ${LOCKS[mode]}(hashtextextended(route, 0)) from unnest($1::text[]) as route`,
    values: [[...routes].sort().map((route) => `route:${route}`)],
  });
}

export const destinationRoute = (destinationNormal: string) => `destination:${destinationNormal}`;
export const entityRoute = (entityId: string) => `entity:${entityId}`;
/** Held by every delivery from or to the tenant. */
export const tenantRoute = (tenantId: string) => `tenant:${tenantId}`;
export const vaspRoute = (vaspFolded: string) => `vasp:${vaspFolded}`;
