import type { Queryable } from '../postgres.ts';

/** Removes an object from the storage; does nothing when there is none. */
export type DeleteObject = (key: string) => Promise<void>;

const BATCH = 100;

/** Removes files that arrived and were not kept. Those that were kept meanwhile stay. */
export async function discardFiles(
  db: Queryable,
  deleteObject: DeleteObject,
  ids: readonly string[],
): Promise<void> {
  const { rows } = await db.query<MarkedRow>(
    `update verification_files set state = 'REMOVING' where id = any($1::uuid[]) and state = 'ARRIVING'
     returning id, object_key`,
    [ids],
  );
  await removeRows(db, deleteObject, rows);
}

/** Removes what was marked for removal, a batch of it, the oldest first; the number of files. Safe to be repeated. */
export async function removeMarkedFiles(db: Queryable, deleteObject: DeleteObject): Promise<number> {
  const { rows } = await db.query<MarkedRow>(
    `select id, object_key from verification_files where state = 'REMOVING' order by created_at limit ${BATCH}`,
  );
  await removeRows(db, deleteObject, rows);
  return rows.length;
}

interface MarkedRow {
  id: string;
  object_key: string;
}

/** The object first: without its row nobody would ever look for it. */
async function removeRows(
  db: Queryable,
  deleteObject: DeleteObject,
  rows: readonly MarkedRow[],
): Promise<void> {
  for (const { id, object_key: objectKey } of rows) {
    await deleteObject(objectKey);
    await db.query(`delete from verification_files where id = $1 and state = 'REMOVING'`, [id]);
  }
}
