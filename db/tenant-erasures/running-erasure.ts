import type { Queryable } from '../postgres.ts';

/** The tenant of an erasure that has begun and is not done; undefined when there is nothing to erase. */
export async function tenantOfRunning(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    `select tenant_id from tenant_erasures where id = $1 and state = 'RUNNING'`,
    [id],
  );
  return rows[0]?.tenant_id;
}

/** Ends an erasure whose tenant is erased. */
export async function completeErasure(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(
    `update tenant_erasures set state = 'ERASED', finished_at = $2, wake_at = null where id = $1 and state = 'RUNNING'`,
    [id, now],
  );
}

/** Notes that the run goes on, so that the sweep takes up the erasure only if its workflow is lost. */
export async function noteProgress(db: Queryable, id: string, now: Date): Promise<void> {
  await db.query(`update tenant_erasures set wake_at = $2 where id = $1 and state = 'RUNNING'`, [id, now]);
}
