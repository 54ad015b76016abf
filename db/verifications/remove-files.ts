import type { Queryable } from '../postgres.ts';

/** Deletes an object from the storage; does nothing when there is none. */
export type DeleteObject = (key: string) => Promise<void>;

const BATCH = 100;

/** Deletes files that arrived but were not accepted. Files accepted meanwhile stay. Throws FilesNotRemoved. */
export async function discardFiles(
  db: Queryable,
  deleteObject: DeleteObject,
  ids: readonly string[],
): Promise<void> {
  const { rows } = await db.query<MarkedRow>(
    `update verification_files set state = 'REMOVING' where id = any($1::uuid[]) and state = 'ARRIVING'
     returning id, object_key, created_at`,
    [ids],
  );
  requireRemoved(await removeRows(db, deleteObject, rows));
}

/**
 * Deletes all files that are marked for removal, oldest first. Safe to repeat. Throws FilesNotRemoved, after each was tried
 * once, if any could not be deleted.
 */
export async function removeMarkedFiles(db: Queryable, deleteObject: DeleteObject): Promise<void> {
  const failures: unknown[] = [];
  let last: MarkedRow | undefined;
  do {
    const { rows } = await db.query<MarkedRow>(
      `select id, object_key, created_at from verification_files
       where state = 'REMOVING' and ($1::timestamptz is null or (created_at, id) > ($1, $2::uuid))
       order by created_at, id limit ${BATCH}`,
      [last?.created_at, last?.id],
    );
    failures.push(...(await removeRows(db, deleteObject, rows)));
    last = rows.at(-1);
  } while (last);
  requireRemoved(failures);
}

interface MarkedRow {
  id: string;
  object_key: string;
  created_at: Date;
}

/** The storage did not delete some files; `cause` is why it did not delete the first of them. */
class FilesNotRemoved extends Error {}

function requireRemoved(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  const [cause] = failures;
  throw new FilesNotRemoved(`${failures.length} files could not be removed from the storage`, { cause });
}

/**
 * Deletes each object before its row: without the row nobody would find the object. A file that the storage does not delete
 * stops no other. Returns why files were not deleted.
 */
async function removeRows(
  db: Queryable,
  deleteObject: DeleteObject,
  rows: readonly MarkedRow[],
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const { id, object_key: objectKey } of rows) {
    try {
      await deleteObject(objectKey);
    } catch (error) {
      failures.push(error);
      continue;
    }
    await db.query(`delete from verification_files where id = $1 and state = 'REMOVING'`, [id]);
  }
  return failures;
}
