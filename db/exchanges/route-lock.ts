import type { Queryable } from '../database.ts';

/**
 * Serialises "nobody was found for this message" with "a wallet or tenant that it may be meant for was made", until the
 * end of the transaction: otherwise each could miss the other and the message would wait for a day.
 */
export async function lockRoutes(tx: Queryable, routes: readonly string[]): Promise<void> {
  for (const route of [...routes].sort()) {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`route:${route}`]);
  }
}

export const destinationRoute = (destinationNormal: string) => `destination:${destinationNormal}`;
export const vaspRoute = (vaspFolded: string) => `vasp:${vaspFolded}`;
