import type { Queryable } from '../postgres.ts';

const BATCH = 100;
/** Uploads under way are younger: forms end within minutes. */
const ABANDONED_AFTER = '1 day';

interface MarkedFile {
  id: string;
  object_key: string;
}

/** Marks a file that was stored and is not needed, so that housekeeping removes it. One that was kept stays. */
export async function discardBrandingFile(db: Queryable, id: string): Promise<void> {
  await db.query(`update branding_files set state = 'REMOVING' where id = $1 and state = 'ARRIVING'`, [id]);
}

/**
 * Deletes logos and icons that were replaced, and those whose upload did not come to its end. Safe to repeat. A file that
 * the storage does not delete stops no other. Returns why files were not deleted.
 */
export async function removeBrandingFiles(
  db: Queryable,
  deleteObject: (key: string) => Promise<void>,
): Promise<unknown[]> {
  await db.query(
    `update branding_files set state = 'REMOVING'
     where state = 'ARRIVING' and created_at < now() - interval '${ABANDONED_AFTER}'`,
  );
  const failures: unknown[] = [];
  let last: string | undefined;
  do {
    const files = await markedAfter(db, last);
    for (const file of files) failures.push(...(await removeFile(db, deleteObject, file)));
    last = files.at(-1)?.id;
  } while (last !== undefined);
  return failures;
}

async function markedAfter(db: Queryable, last: string | undefined): Promise<MarkedFile[]> {
  const { rows } = await db.query<MarkedFile>(
    `select id, object_key from branding_files
     where state = 'REMOVING' and ($1::uuid is null or id > $1) order by id limit ${BATCH}`,
    [last ?? null],
  );
  return rows;
}

/** Deletes the object before its row: without the row nobody would find the object. */
async function removeFile(
  db: Queryable,
  deleteObject: (key: string) => Promise<void>,
  { id, object_key: objectKey }: MarkedFile,
): Promise<unknown[]> {
  try {
    await deleteObject(objectKey);
  } catch (error) {
    return [error];
  }
  await db.query(`delete from branding_files where id = $1 and state = 'REMOVING'`, [id]);
  return [];
}
