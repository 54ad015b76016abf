import type { Queryable } from '../postgres.ts';

const KEY = `hashtextextended('sanctions versions', 0)`;

/** Keeps the active versions of the sanctions lists as they are until the end of the transaction. */
export async function keepListVersions(tx: Queryable): Promise<void> {
  await tx.query({ name: 'keep-list-versions', text: `select pg_advisory_xact_lock_shared(${KEY})` });
}

/** Waits until everything that was judged by the present versions is committed; for whoever makes another one active. */
export async function lockListVersions(tx: Queryable): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(${KEY})`);
}
