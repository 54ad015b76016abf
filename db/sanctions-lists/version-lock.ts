import type { Queryable } from '../postgres.ts';

const KEY = `hashtextextended('sanctions versions', 0)`;

/** Keeps the active versions of the sanctions lists as they are until the end of the transaction. */
export async function keepListVersions(tx: Queryable): Promise<void> {
  await tx.query({ name: 'keep-list-versions', text: `select pg_advisory_xact_lock_shared(${KEY})` });
}

/**
 * Like keepListVersions, and the false positives of these tenants: none is taken back between the check of what a screening
 * rests on and the end of the transaction that stores it.
 */
export async function keepComparisons(tx: Queryable, tenantIds: readonly string[]): Promise<void> {
  await tx.query({
    name: 'keep-comparisons',
    text: `select pg_advisory_xact_lock_shared(${KEY}) union all
      select pg_advisory_xact_lock_shared(${falsePositivesKey('id')}) from unnest($1::text[]) as id`,
    values: [tenantIds],
  });
}

/** SQL: the key of the lock of whoever takes a false positive of a tenant back; it takes the lock alone. */
export const falsePositivesKey = (tenantId: string) =>
  `hashtextextended('false positives:' || ${tenantId}, 0)`;

/** Waits until everything that was judged by the present versions is committed; for whoever makes another one active. */
export async function lockListVersions(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY})`);
}
