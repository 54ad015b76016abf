import type { Queryable } from '../postgres.ts';

/** An object of the file storage that a row of the database speaks of. */
export interface StoredObject {
  id: string;
  key: string;
}

const PAGE = 1_000;

// What is arriving or being removed may be missing.
const OBJECTS = `
  select id, object_key as key from verification_files where state = 'STORED'
  union all select id, object_key from branding_files where state = 'STORED'
  union all select id, object_key from monthly_reports where state = 'STORED' and object_key is not null
  union all select id, object_key from exports where state = 'READY' and object_key is not null`;

/** All objects of the file storage, page by page. */
export async function* listStoredObjects(db: Queryable): AsyncGenerator<StoredObject[]> {
  let after: string | null = null;
  for (;;) {
    const { rows }: { rows: StoredObject[] } = await db.query<StoredObject>(
      `select id, key from (${OBJECTS}) objects where $1::uuid is null or id > $1 order by id limit $2`,
      [after, PAGE],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.id ?? null;
  }
}
