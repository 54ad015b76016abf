import type { Queryable } from '../postgres.ts';

/** Deletes an object from the storage; does nothing when there is none. */
export type DeleteObject = (key: string) => Promise<void>;

const BATCH = 100;

/** Deletes files that arrived but were not accepted. Files accepted meanwhile stay. */
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

/** Deletes a batch of files that are marked for removal, oldest first. Returns their number. Safe to repeat. */
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

/** Deletes the object before its row: without the row nobody would find the object. */
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
