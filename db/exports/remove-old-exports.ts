import type { Queryable } from '../postgres.ts';

const BATCH = 100;

/**
 * Removes exports whose time is over, each object before its row: without the row nobody would find the object. Safe to
 * repeat. One that the storage does not delete stops no other; returns why they were not deleted.
 */
export async function removeOldExports(
  db: Queryable,
  deleteObject: (key: string) => Promise<void>,
  now: Date,
): Promise<unknown[]> {
  await db.query(
    `update exports set state = 'REMOVING' where expires_at <= $1 and state in ('READY', 'FAILED')`,
    [now],
  );
  const failures: unknown[] = [];
  for (let after: string | null = null; ;) {
    const { rows }: { rows: { id: string; object_key: string | null }[] } = await db.query(
      `select id, object_key from exports where state = 'REMOVING' and ($1::uuid is null or id > $1)
       order by id limit ${BATCH}`,
      [after],
    );
    for (const { id, object_key: objectKey } of rows) {
      try {
        if (objectKey !== null) await deleteObject(objectKey);
        await db.query(`delete from exports where id = $1 and state = 'REMOVING'`, [id]);
      } catch (error) {
        failures.push(error);
      }
    }
    const last = rows.at(-1);
    if (!last) return failures;
    after = last.id;
  }
}
