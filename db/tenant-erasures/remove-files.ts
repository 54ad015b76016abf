import type { Queryable } from '../postgres.ts';

/** Files per step; a bucket takes some milliseconds for each. */
const BATCH = 100;

const TABLES = ['verification_files', 'branding_files', 'monthly_reports', 'exports'];

interface StoredFile {
  id: string;
  object_key: string | null;
}

/**
 * Deletes the next files of a tenant, each object before its row: without the row nobody would find the object. The number of
 * them, 0 when nothing is left.
 */
export async function removeNextFiles(
  db: Queryable,
  tenantId: string,
  deleteObject: (key: string) => Promise<void>,
): Promise<number> {
  for (const table of TABLES) {
    const { rows } = await db.query<StoredFile>(
      `select id, object_key from ${table} where tenant_id = $1 order by id limit ${BATCH}`,
      [tenantId],
    );
    for (const { id, object_key: key } of rows) {
      if (key !== null) await deleteObject(key);
      await db.query(`delete from ${table} where tenant_id = $1 and id = $2`, [tenantId, id]);
    }
    if (rows.length > 0) return rows.length;
  }
  return 0;
}
